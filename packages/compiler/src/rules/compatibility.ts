import { codePoints } from './code-points.ts'
import { frontmatter } from './rule.ts'
import type { Rule } from './rule.ts'

const MAX = 500

export const compatibility: Rule = {
  id: 'compatibility',
  severity: 'error',
  description: `\`compatibility\`, if given, is a string of 1 to ${MAX} characters.`,
  why: 'Hosts refuse a skill whose `compatibility` is anything but a text of 1 to 500 characters.',
  bad: {
    files: {
      'skills/refunds/SKILL.md': frontmatter(
        'name: refunds',
        'description: Handles refunds.',
        'compatibility: [node, python]',
      ),
    },
  },
  good: {
    files: {
      'skills/refunds/SKILL.md': frontmatter(
        'name: refunds',
        'description: Handles refunds.',
        'compatibility: Needs node and python',
      ),
    },
  },
  strict: true,
  skill({ manifest }, report) {
    const value = manifest?.frontmatter?.['compatibility']
    if (value === undefined) return
    const at = manifest?.locate(['compatibility'], 'value')
    if (value === null || value === '') {
      report({
        message: '`compatibility` is empty',
        help: 'Say what the skill needs, or remove the line.',
        at,
      })
    } else if (typeof value !== 'string') {
      report({
        message: '`compatibility` is not a string',
        help: 'Put it in one line of text, in quotes.',
        at,
      })
    } else if (codePoints(value) > MAX) {
      report({
        message: `\`compatibility\` is ${codePoints(value)} characters long`,
        help: `Keep to ${MAX}.`,
        at,
      })
    }
  },
}
