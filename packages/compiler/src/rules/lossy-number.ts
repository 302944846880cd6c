import { quote } from '../frontmatter/quote.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

/** All readers agree about such a number; it is just not what was written. */
export const lossyNumber: Rule = {
  id: 'lossy-number',
  severity: 'warning',
  description: 'No number ends in a zero that it loses.',
  why: 'To YAML `1.10` is a number, and so the same as `1.1`: a version that is not in quotes changes.',
  bad: {
    files: { 'skills/refunds/SKILL.md': skillMd('refunds', { fields: 'version: 1.10\n' }) },
    rules: { 'unknown-field': 'off' },
  },
  good: {
    files: { 'skills/refunds/SKILL.md': skillMd('refunds', { fields: 'version: "1.10"\n' }) },
    rules: { 'unknown-field': 'off' },
  },
  skill({ manifest }, report) {
    for (const { part, style, keys, source, value, at } of manifest?.scalars ?? []) {
      if (part !== 'value' || style !== 'plain' || typeof value !== 'number') continue
      // Numbers are no metadata at all, which is said by another rule.
      if (keys[0] === 'metadata' || !/^[+-]?\d+\.\d*0$/.test(source)) continue
      report({
        message: `\`${source}\` is the number ${value}: as a text it is lost`,
        help: `Quote it if it is a version: ${quote(source)}`,
        at,
      })
    }
  },
}
