import type { Inspected } from '../inspect/facts.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

/** Both are served, but many hosts show names, not paths, and their users cannot tell two apart. */
export const sameName: Rule = {
  id: 'same-name',
  severity: 'warning',
  description: 'No two skills have the same name.',
  why: 'Both skills are served, but many hosts show names, not paths, and neither their users nor their models can tell the two apart.',
  bad: {
    files: {
      'skills/sales/review/SKILL.md': skillMd('review'),
      'skills/support/review/SKILL.md': skillMd('review'),
    },
    sources: 'skills/**',
  },
  good: {
    files: {
      'skills/sales/sales-review/SKILL.md': skillMd('sales-review'),
      'skills/support/review/SKILL.md': skillMd('review'),
    },
    sources: 'skills/**',
  },
  set(skills, report) {
    const first = new Map<string, Inspected>()
    for (const skill of skills) {
      if (skill.frontmatter?.['name'] !== skill.name) continue
      const other = first.get(skill.name)
      if (other === undefined) first.set(skill.name, skill)
      else if (other.path !== skill.path) {
        report(skill, {
          message: `\`${other.path}\` has the same name as \`${skill.path}\``,
          help: 'Rename one of them, so that people and models can tell them apart.',
          at: skill.nameAt,
        })
      }
    }
  },
}
