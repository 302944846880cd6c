import type { Rule } from './rule.ts'

/** Feature P5. What cannot be compiled cannot be rendered. */
export const template: Rule = {
  id: 'template',
  severity: 'error',
  fixed: true,
  description: 'Templates can be compiled, and frontmatter holds no template tags.',
  skill({ templateFaults }, report) {
    for (const { file, message, help, at } of templateFaults) report({ message, help, file, at })
  },
}
