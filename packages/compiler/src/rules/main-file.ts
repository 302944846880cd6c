import { leftOutRule } from './left-out.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

/** Features S3: a main file of another name is served as `SKILL.md`, and there can be only one. */
export const mainFile: Rule = leftOutRule({
  id: 'main-file',
  severity: 'error',
  description: 'No `SKILL.md` lies beside a main file of another name.',
  why: 'Whatever a main file is called on disk, it is served as `SKILL.md`. With a file of that name beside it there would be two for one place, and which one a model reads would be chance.',
  bad: {
    files: { 'skills/refunds/README.md': skillMd('refunds'), 'skills/refunds/SKILL.md': skillMd('refunds') },
    sources: { from: 'skills/*', mainFile: 'README.md' },
  },
  good: {
    files: { 'skills/refunds/README.md': skillMd('refunds') },
    sources: { from: 'skills/*', mainFile: 'README.md' },
  },
  message: () => 'The folder has a main file of another name, which is served as `SKILL.md` too',
  help: 'Remove one of the two, or name this one in `ignore`.',
})
