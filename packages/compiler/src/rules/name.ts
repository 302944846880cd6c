import { quote } from '../frontmatter/quote.ts'
import { frontmatter } from './rule.ts'
import type { Rule } from './rule.ts'

const FORM = /^[\da-z]+(?:-[\da-z]+)*$/

/** Whether a name obeys the Agent Skills rules, apart from its folder. */
export function isName(value: string): boolean {
  return value.length <= 64 && FORM.test(value)
}

/** Protocol E2. */
export const name: Rule = {
  id: 'name',
  severity: 'error',
  description: '`name` is a string of 1 to 64 lowercase letters, digits and single hyphens.',
  why: 'Hosts show, compare and type names. The Agent Skills form is ASCII: 1 to 64 of `a-z` and `0-9`, with single hyphens between.',
  bad: {
    files: {
      'skills/refunds/SKILL.md': frontmatter('name: Refunds', 'description: Handles refunds.'),
    },
  },
  good: {
    files: {
      'skills/refunds/SKILL.md': frontmatter('name: refunds', 'description: Handles refunds.'),
    },
  },
  strict: true,
  skill(skill, report) {
    const { manifest } = skill
    if (manifest?.frontmatter === undefined) return
    const value = manifest.frontmatter['name']
    const at = manifest.locate(['name'], 'value')
    const wanted = isName(skill.name) ? skill.name : 'my-skill'
    if (value === undefined || value === null) {
      const help = `Write \`name: ${wanted}\`.`
      report({
        message: `\`name\` is ${value === null ? 'empty' : 'missing'}`,
        help,
        at: at ?? { line: 1, column: 1 },
      })
    } else if (typeof value !== 'string') {
      const help =
        typeof value === 'object' ? `Write \`name: ${wanted}\`.` : `Quote it: name: ${quote(skill.name)}`
      report({ message: '`name` is not a string', help, at })
    } else if (!isName(value)) {
      const said = value.length > 64 ? `is ${value.length} characters long` : `is ${JSON.stringify(value)}`
      report({
        message: `\`name\` ${said}: it must be 1 to 64 of a-z and 0-9, with single hyphens between`,
        help: `Write \`name: ${wanted}\`${isName(skill.name) ? '' : ' and call its folder the same'}.`,
        at,
      })
    }
  },
}
