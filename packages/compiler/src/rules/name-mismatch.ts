import { isName } from './name.ts'
import type { Rule } from './rule.ts'

/** Protocol E2: hosts refuse a skill whose name is not the last segment of its path. */
export const nameMismatch: Rule = {
  id: 'name-mismatch',
  severity: 'error',
  description: '`name` equals the name of the folder.',
  skill(skill, report) {
    const value = skill.manifest?.frontmatter?.['name']
    if (typeof value !== 'string' || !isName(value) || value === skill.name) return
    const rename = `Rename the folder to \`${value}\``
    report({
      message: `\`name\` is \`${value}\`, but the folder is \`${skill.name}\``,
      help: isName(skill.name) ? `${rename}, or write \`name: ${skill.name}\`.` : `${rename}.`,
      at: skill.manifest?.locate(['name'], 'value'),
    })
  },
}
