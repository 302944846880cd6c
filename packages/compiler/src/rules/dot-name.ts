import { leftOutRule } from './left-out.ts'
import type { Rule } from './rule.ts'

/** Secrets and tool state live under such names. */
export const dotName: Rule = leftOutRule({
  id: 'dot-name',
  severity: 'warning',
  description: 'No name in a skill begins with a dot: such entries are left out.',
  message: (_, name) => `\`${name}\` is left out, since its name begins with a dot`,
  help: 'Rename it if the skill needs it; else remove it or name it in `ignore`.',
})
