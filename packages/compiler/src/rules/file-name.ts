import { leftOutRule } from './left-out.ts'
import type { Rule } from './rule.ts'

export const fileName: Rule = leftOutRule({
  id: 'file-name',
  severity: 'error',
  description: 'Every name in a skill can be said in a URI that all hosts read alike.',
  message: (_, name) => `The name ${JSON.stringify(name)} has no URI that all hosts read alike`,
  help: 'Rename it: no backslash, no control character, and valid Unicode.',
})
