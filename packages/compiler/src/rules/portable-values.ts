import { quote, quoteOnly } from '../frontmatter/quote.ts'
import type { Difference } from '../portability/compare.ts'
import type { Fix } from '../types.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

/** Features X4. */
export const portableValues: Rule = {
  id: 'portable-values',
  severity: 'warning',
  description: 'Every reader that hosts use sees the same keys and values.',
  why: 'A listing carries the frontmatter as YAML 1.2 reads it. A host that reads the file with another library and sees another value refuses the skill: to many of them `2025-10-20` is a date, to some `yes` is true and `0755` is 493. Quotes make all of them agree, and `check --fix` puts them in. See [portability](../portability.md).',
  bad: {
    files: {
      'skills/refunds/SKILL.md': skillMd('refunds', { fields: 'metadata:\n  updated: 2025-10-20\n' }),
    },
  },
  good: {
    files: {
      'skills/refunds/SKILL.md': skillMd('refunds', { fields: 'metadata:\n  updated: "2025-10-20"\n' }),
    },
  },
  skill({ portability }, report) {
    for (const difference of portability.differences) {
      const { scalar, seen } = difference
      const others = [...seen].map(([value, readers]) => `${value} to ${list(readers)}`)
      const ours = JSON.stringify(scalar.value ?? null)
      report({
        message: `${nameOf(difference)} is ${ours} here, but ${others.join(', and ')}`,
        help: helpFor(difference),
        at: scalar.at,
        fix: fixFor(difference),
      })
    }
  },
}

function nameOf({ scalar: { keys, part } }: Difference): string {
  return part === 'key' ? `The key \`${keys.at(-1)}\`` : `\`${keys.join('.')}\``
}

function helpFor({ scalar: { source, value, part, style } }: Difference): string {
  if (typeof value === 'string') {
    if (style === 'plain') return `Quote it: ${quote(value)}${part === 'key' ? ':' : ''}`
    return 'Write the characters themselves instead of escapes, and no line separators of Unicode.'
  }
  const plain = typeof value === 'number' && String(value) !== source ? `${value} if it is a number, or ` : ''
  return `Write ${plain}${quote(source)} if it is a text.`
}

/** Only where the value is a text already, so that it stays the same. */
function fixFor({ scalar: { source, value, style, at } }: Difference): Fix | undefined {
  if (typeof value !== 'string' || style !== 'plain' || value !== source) return undefined
  const to = quoteOnly(value)
  return to === undefined ? undefined : { ...at, from: source, to }
}

/** `a`, `a and b`, `a, b and c` */
function list(words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
