import { leftOutRule } from './left-out.ts'
import type { Rule } from './rule.ts'

export const incidentalFile: Rule = leftOutRule({
  id: 'incidental-file',
  severity: 'info',
  description: '`.DS_Store`, `.gitkeep` and `.keep` are left out.',
  message: (_, name) => `\`${name}\` is left out`,
  help: 'Nothing needs to be done.',
})
