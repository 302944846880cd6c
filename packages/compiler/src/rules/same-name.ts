import type { SkillDraft } from '../read/skill.ts'
import type { Rule } from './rule.ts'

/** Both are served, but many hosts show names, not paths, and their users cannot tell two apart. */
export const sameName: Rule = {
  id: 'same-name',
  severity: 'warning',
  description: 'No two skills have the same name.',
  set(skills, report) {
    const first = new Map<string, SkillDraft>()
    for (const skill of skills) {
      if (skill.manifest?.frontmatter?.['name'] !== skill.name) continue
      const other = first.get(skill.name)
      if (other === undefined) first.set(skill.name, skill)
      else if (other.path !== skill.path) {
        report(skill, {
          message: `\`${other.path}\` has the same name as \`${skill.path}\``,
          help: 'Rename one of them, so that people and models can tell them apart.',
          at: skill.manifest.locate(['name'], 'value'),
        })
      }
    }
  },
}
