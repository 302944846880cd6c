import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

/** Feature P5. What cannot be compiled cannot be rendered. */
export const template: Rule = {
  id: 'template',
  severity: 'error',
  fixed: true,
  description: 'Templates can be compiled, and frontmatter holds no template tags.',
  why: 'Templates become functions when the set is built, so that nothing is compiled on the server. One that cannot be compiled could only fail when it is asked for; and frontmatter is listed before any data is known, so it has to be the same for all.',
  bad: { files: { 'skills/refunds/SKILL.md.eta': skillMd('refunds', { body: 'Refund <%= it. %> EUR.\n' }) } },
  good: {
    files: {
      'skills/refunds/SKILL.md.eta': skillMd('refunds', { body: 'Refund <%= it.limit %> EUR.\n' }),
      'skills/returns/SKILL.md': skillMd('returns'),
    },
  },
  skill({ templateFaults }, report) {
    for (const { file, message, help, at } of templateFaults) report({ message, help, file, at })
  },
}
