import { codePoints } from './code-points.ts'
import { frontmatter } from './rule.ts'
import type { Rule } from './rule.ts'

const MAX = 1024

export const description: Rule = {
  id: 'description',
  severity: 'error',
  description: `\`description\` is a string of 1 to ${MAX} characters.`,
  why: 'It is all that a model sees of a skill before it loads it. Hosts refuse a skill without one, or with one of more than 1024 characters.',
  bad: {
    files: {
      'skills/refunds/SKILL.md': frontmatter('name: refunds'),
    },
  },
  good: {
    files: {
      'skills/refunds/SKILL.md': frontmatter('name: refunds', 'description: Handles refunds.'),
    },
  },
  strict: true,
  skill({ manifest }, report) {
    if (manifest?.frontmatter === undefined) return
    const value = manifest.frontmatter['description']
    const at = manifest.locate(['description'], 'value') ?? { line: 1, column: 1 }
    const help = 'Say what the skill does and when to use it.'
    if (value === undefined) report({ message: '`description` is missing', help, at })
    else if (value === null || value === '') report({ message: '`description` is empty', help, at })
    else if (typeof value !== 'string') {
      report({ message: '`description` is not a string', help: 'Put it in quotes.', at })
    } else if (codePoints(value) > MAX) {
      report({
        message: `\`description\` is ${codePoints(value)} characters long`,
        help: `Keep to ${MAX}: move details into the body.`,
        at,
      })
    }
  },
}
