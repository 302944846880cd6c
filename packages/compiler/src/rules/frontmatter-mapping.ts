import type { Rule } from './rule.ts'

export const frontmatterMapping: Rule = {
  id: 'frontmatter-mapping',
  severity: 'error',
  description: 'The frontmatter is a mapping of keys to values.',
  why: 'A list, a single value or nothing at all has no `name`.',
  bad: {
    files: { 'skills/refunds/SKILL.md': '---\n' + '- refunds\n' + '---\n' + '\n' + 'Follow the steps.\n' },
  },
  good: {
    files: {
      'skills/refunds/SKILL.md':
        '---\n' +
        'name: refunds\n' +
        'description: Handles refunds.\n' +
        '---\n' +
        '\n' +
        'Follow the steps.\n',
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
