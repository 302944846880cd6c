import type { Rule } from './rule.ts'

const MAX_FILES = 512
const MAX_BYTES = 16_777_216

/** Protocol E8: no host must accept more. Files of nested skills count. */
export const limits: Rule = {
  id: 'limits',
  severity: 'warning',
  description: `A skill holds at most ${MAX_FILES} files and ${MAX_BYTES} bytes.`,
  skill({ files, location }, report) {
    const bytes = files.reduce((sum, file) => sum + file.size, 0)
    if (files.length <= MAX_FILES && bytes <= MAX_BYTES) return
    report({
      message: `The skill holds ${files.length} files and ${bytes} bytes, more than every host accepts`,
      help: `Keep to ${MAX_FILES} files and ${MAX_BYTES} bytes: leave files out with \`ignore\`, or split the skill.`,
      file: location,
    })
  },
}
