import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'
import type { SkillFile } from '../types.ts'

const MAX_FILES = 512
const MAX_BYTES = 16_777_216

/** Protocol E8: no host must accept more. Files of nested skills count. */
export const limits: Rule = {
  id: 'limits',
  severity: 'warning',
  description: `A skill holds at most ${MAX_FILES} files and ${MAX_BYTES} bytes.`,
  why: 'A host need not accept a skill of more than 512 files or 16 MiB, files of nested skills included. It is served nevertheless.',
  bad: {
    files: {
      'skills/refunds/SKILL.md': skillMd('refunds'),
      ...Object.fromEntries(
        Array.from({ length: 512 }, (_, index) => [`skills/refunds/cases/${index}.md`, 'x\n']),
      ),
    },
  },
  good: { files: { 'skills/refunds/SKILL.md': skillMd('refunds') } },
  skill({ files, location }, report) {
    const bytes = files.reduce((sum, file) => sum + file.size, 0)
    if (files.length <= MAX_FILES && bytes <= MAX_BYTES) return
    report({
      message: `The skill holds ${files.length} files and ${bytes} bytes, more than every host accepts`,
      help: `Keep to ${MAX_FILES} files and ${MAX_BYTES} bytes: leave files out with \`ignore\`, or split the skill. The largest: ${largest(files)}.`,
      file: location,
    })
  },
}

function largest(files: readonly SkillFile[]): string {
  const bySize = files.toSorted((a, b) => b.size - a.size)
  return bySize
    .slice(0, 3)
    .map(({ path, size }) => `\`${path}\` (${size} bytes)`)
    .join(', ')
}
