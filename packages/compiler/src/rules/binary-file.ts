import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

/** Features A6. */
export const binaryFile: Rule = {
  id: 'binary-file',
  severity: 'error',
  description: 'A skill holds binary files only where `binary` allows them.',
  why: 'A binary file cannot be read in a review. With `binary: false`, or globs of those that are allowed, any other is refused: by its bytes, or by a MIME type that is no text, which is that of every unknown extension.',
  bad: {
    files: { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/refunds/logo.png': '\x89PNG' },
    sources: { from: 'skills/*', binary: false },
  },
  good: {
    files: { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/refunds/logo.png': '\x89PNG' },
    sources: { from: 'skills/*', binary: ['**/*.png'] },
  },
  skill({ denied, files, location }, report) {
    for (const path of denied) {
      const { kind, mimeType } = files.find((file) => file.path === path)!
      const why = kind === 'blob' ? 'by its bytes' : `by its type, ${mimeType}`
      report({
        message: `This is a binary file (${why}), and the source allows none here`,
        help: 'Leave it out with `ignore`, or add a glob for it to `binary`.',
        file: `${location}/${path}`,
      })
    }
  },
}
