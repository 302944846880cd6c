import { leftOutRule } from './left-out.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

export const fileName: Rule = leftOutRule({
  id: 'file-name',
  severity: 'error',
  description: 'Every name in a skill can be said in a URI that all hosts read alike.',
  why: 'A backslash is a separator to some hosts, a control character is refused by many, and a name that is not Unicode has no URI.',
  bad: { files: { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/refunds/a\\b.md': '' } },
  good: { files: { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/refunds/a-b.md': '' } },
  message: (_, name) => `The name ${JSON.stringify(name)} has no URI that all hosts read alike`,
  help: 'Rename it: no backslash, no control character, and valid Unicode.',
})
