import { leftOutRule } from './left-out.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

/** To read a pipe could wait forever. */
export const specialFile: Rule = leftOutRule({
  id: 'special-file',
  severity: 'warning',
  description: 'A skill holds regular files and folders only.',
  why: 'To read a pipe could wait forever, and a device or a socket has no contents.',
  bad: {
    files: { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/refunds/queue': { special: 'pipe' } },
  },
  good: { files: { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/refunds/queue': '' } },
  message: (_, name) => `\`${name}\` is left out, since it is a pipe, a socket or a device`,
  help: 'Remove it, or name it in `ignore`.',
})
