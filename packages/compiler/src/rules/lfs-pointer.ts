import { holds } from '../content/text.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

const FIRST_LINE = 'version https://git-lfs.github.com/spec/v1\n'
/** Pointers are smaller than this by their definition. */
const MAX_BYTES = 1024

export const lfsPointer: Rule = {
  id: 'lfs-pointer',
  severity: 'warning',
  description: 'No file is a Git LFS pointer in the place of its contents.',
  why: 'A checkout without Git LFS holds small text files in the place of large ones. They would be served as they are, and a checkout with it would give other digests.',
  bad: {
    files: {
      'skills/refunds/SKILL.md': skillMd('refunds'),
      'skills/refunds/logo.png': `${FIRST_LINE}oid sha256:${'0'.repeat(64)}\nsize 12345\n`,
    },
  },
  good: { files: { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/refunds/logo.png': '\x89PNG' } },
  skill({ files, location }, report) {
    for (const file of files) {
      if (file.size > MAX_BYTES || !holds(file, FIRST_LINE)) continue
      report({
        message: 'This is a Git LFS pointer, not the file itself',
        help: 'Run `git lfs pull`, or leave it out with `ignore`.',
        file: `${location}/${file.path}`,
      })
    }
  },
}
