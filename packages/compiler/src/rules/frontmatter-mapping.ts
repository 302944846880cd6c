import { frontmatter } from './rule.ts'
import type { Rule } from './rule.ts'

export const frontmatterMapping: Rule = {
  id: 'frontmatter-mapping',
  severity: 'error',
  description: 'The frontmatter is a mapping of keys to values.',
  why: 'A list, a single value or nothing at all has no `name`.',
  bad: {
    files: { 'skills/refunds/SKILL.md': frontmatter('- refunds') },
  },
  good: {
    files: {
      'skills/refunds/SKILL.md': frontmatter('name: refunds', 'description: Handles refunds.'),
    },
  },
  skill({ manifest }, report) {
    if (manifest?.shape === undefined) return
    const { found, at } = manifest.shape
    report({
      message:
        found === 'nothing' ? 'The frontmatter is empty' : `The frontmatter is ${found}, not a mapping`,
      help: 'Write `name:` and `description:` on lines of their own.',
      at,
    })
  },
}
