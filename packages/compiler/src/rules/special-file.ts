import { leftOutRule } from './left-out.ts'
import type { Rule } from './rule.ts'

/** To read a pipe could wait forever. */
export const specialFile: Rule = leftOutRule({
  id: 'special-file',
  severity: 'warning',
  description: 'A skill holds regular files and folders only.',
  message: (_, name) => `\`${name}\` is left out, since it is a pipe, a socket or a device`,
  help: 'Remove it, or name it in `ignore`.',
})
