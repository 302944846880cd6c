import { quote } from '../frontmatter/quote.ts'
import { frontmatter } from './rule.ts'
import type { Rule } from './rule.ts'

/** The official client drops an entry whose metadata holds anything but strings. */
export const metadata: Rule = {
  id: 'metadata',
  severity: 'error',
  description: '`metadata`, if given, maps strings to strings.',
  why: 'The official client drops an entry whose metadata holds anything but strings. Values are never turned into strings here, since a host that reads the file again would see something else.',
  bad: {
    files: {
      'skills/refunds/SKILL.md': frontmatter(
        'name: refunds',
        'description: Handles refunds.',
        'metadata:',
        '  version: 2',
      ),
    },
  },
  good: {
    files: {
      'skills/refunds/SKILL.md': frontmatter(
        'name: refunds',
        'description: Handles refunds.',
        'metadata:',
        '  version: "2"',
      ),
    },
  },
  strict: true,
  skill({ manifest }, report) {
    const value = manifest?.frontmatter?.['metadata']
    if (value === undefined) return
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      report({
        message: value === null ? '`metadata` is empty' : '`metadata` is not a mapping',
        help: 'Indent `key: "value"` lines below it, or remove it.',
        at: manifest?.locate(['metadata'], 'value'),
      })
      return
    }
    for (const [key, item] of Object.entries(value)) {
      if (typeof item === 'string') continue
      const asText =
        Array.isArray(item) && item.every((part) => typeof part !== 'object') ? item.join(', ') : undefined
      report({
        message: `\`metadata.${key}\` is ${kindOf(item)}, not a string`,
        help:
          item === null
            ? 'Give it a value, or remove it.'
            : typeof item !== 'object'
              ? `Quote it: ${key}: ${quote(String(item))}`
              : asText === undefined
                ? 'Write it as one string, or as a field of its own outside of `metadata`.'
                : `Write it as one string: ${key}: ${quote(asText)}`,
        at: manifest?.locate(['metadata', key], 'value'),
      })
    }
  },
}

function kindOf(value: unknown): string {
  if (value === null) return 'empty'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`
}
