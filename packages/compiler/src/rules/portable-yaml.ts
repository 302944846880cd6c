import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

export const portableYaml: Rule = {
  id: 'portable-yaml',
  severity: 'warning',
  description: 'Every reader that hosts use can read the frontmatter.',
  why: 'What one of them refuses is no skill for the hosts that use it. Tabs between a key and its value are the commonest case: YAML 1.2 reads past them, PyYAML and Go do not.',
  bad: {
    files: { 'skills/refunds/SKILL.md': skillMd('refunds', { fields: 'license:\tMIT\n' }) },
  },
  good: {
    files: { 'skills/refunds/SKILL.md': skillMd('refunds', { fields: 'license: MIT\n' }) },
  },
  skill({ portability }, report, already) {
    if (already > 0) return
    for (const { readers, reason, at } of portability.refusals) {
      report({
        message: `${readers.join(' and ')} cannot read the frontmatter: ${reason}`,
        help: reason.includes('tab')
          ? 'Write blanks instead of tabs.'
          : 'Write it in a simpler way: one `key: value` a line, the value in quotes.',
        at,
      })
    }
  },
}
