import { quote } from '../frontmatter/quote.ts'
import { frontmatter } from './rule.ts'
import type { Rule } from './rule.ts'

/** In all readers alike, and in silence: three well-known skills shipped half a description. */
export const cutText: Rule = {
  id: 'cut-text',
  severity: 'warning',
  description: 'No text without quotes is cut at ` #`.',
  why: 'A `#` after a blank begins a comment in YAML, so that `Triages issue #12` reads as `Triages issue`, in every reader and without a word. A comment with a blank behind its `#` is taken for one, except after a description.',
  bad: {
    files: {
      'skills/refunds/SKILL.md': frontmatter('name: refunds', 'description: Handles ticket #12 and refunds.'),
    },
  },
  good: {
    files: {
      'skills/refunds/SKILL.md': frontmatter(
        'name: refunds',
        'description: "Handles ticket #12 and refunds."',
      ),
    },
  },
  skill({ manifest }, report) {
    const { yaml = '', scalars = [] } = manifest ?? {}
    for (const { part, style, flow, keys, source, value, end, at } of scalars) {
      if (part !== 'value' || style !== 'plain' || typeof value !== 'string' || flow) continue
      const [comment] = /^[\t ]+#[^\n]*/.exec(yaml.slice(end)) ?? []
      if (comment === undefined) continue
      const meant = /^[\t ]+#[^#\s]/.test(comment) || keys.at(-1) === 'description'
      if (!meant) continue
      const whole = source + comment.trimEnd()
      const oneLine = !whole.includes('\n')
      report({
        message: `The text ends before ${JSON.stringify(comment.trim())}: YAML reads a comment there`,
        help: oneLine ? `Quote it: ${quote(whole)}` : 'Put the whole text in quotes, on one line.',
        at,
      })
    }
  },
}
