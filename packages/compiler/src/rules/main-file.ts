import { leftOutRule } from './left-out.ts'
import type { Rule } from './rule.ts'

/** Features S3: a main file of another name is served as `SKILL.md`, and there can be only one. */
export const mainFile: Rule = leftOutRule({
  id: 'main-file',
  severity: 'error',
  description: 'No `SKILL.md` lies beside a main file of another name.',
  message: () => 'The folder has a main file of another name, which is served as `SKILL.md` too',
  help: 'Remove one of the two, or name this one in `ignore`.',
})
