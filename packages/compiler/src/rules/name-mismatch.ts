import { isName } from './name.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

/** Protocol E2: hosts refuse a skill whose name is not the last segment of its path. */
export const nameMismatch: Rule = {
  id: 'name-mismatch',
  severity: 'error',
  description: '`name` equals the name of the folder.',
  why: "A skill's path ends with its name; hosts refuse one where the two differ. The frontmatter is never edited, so that either the folder or the name has to change.",
  bad: {
    files: { 'skills/refunds/SKILL.md': skillMd('refund') },
  },
  good: { files: { 'skills/refunds/SKILL.md': skillMd('refunds') } },
  strict: true,
  skill(skill, report) {
    const value = skill.manifest?.frontmatter?.['name']
    if (typeof value !== 'string' || !isName(value) || value === skill.name) return
    const rename = `Rename the folder to \`${value}\``
    report({
      message: `\`name\` is \`${value}\`, but the folder is \`${skill.name}\``,
      help: isName(skill.name)
        ? `${rename}, write \`name: ${skill.name}\`, or serve it at another path with \`rename\`.`
        : `${rename}.`,
      at: skill.manifest?.locate(['name'], 'value'),
    })
  },
}
