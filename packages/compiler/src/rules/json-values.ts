import { quote } from '../frontmatter/quote.ts'
import type { JsonFault } from '../frontmatter/json.ts'
import { frontmatter } from './rule.ts'
import type { Finding, Rule } from './rule.ts'

/** A listing carries the frontmatter as JSON, and hosts compare it with the file: both must say the same. */
export const jsonValues: Rule = {
  id: 'json-values',
  severity: 'error',
  description: 'Every value of the frontmatter has a JSON form that loses nothing.',
  why: 'A listing carries the frontmatter as JSON, and hosts compare it with the file: both must say the same. `.nan`, a number with too many digits, a key that is no text and `__proto__` have no such form.',
  bad: {
    files: {
      'skills/refunds/SKILL.md': frontmatter(
        'name: refunds',
        'description: Handles refunds.',
        'metadata:\n  ticket: 12345678901234567890',
      ),
    },
  },
  good: {
    files: {
      'skills/refunds/SKILL.md': frontmatter(
        'name: refunds',
        'description: Handles refunds.',
        'metadata:\n  ticket: "12345678901234567890"',
      ),
    },
  },
  skill({ manifest }, report) {
    for (const fault of manifest?.json ?? []) {
      // An alias is the YAML subset's affair, with the same place.
      if (fault.kind !== 'alias') report({ ...describe(fault), at: fault.at })
    }
  },
}

function describe({ kind, source }: JsonFault): Omit<Finding, 'at'> {
  const quoted = `Quote it: ${quote(source)}`
  switch (kind) {
    case 'key':
      return /\n|^[[{]/.test(source) || source === ''
        ? { message: 'A key must be a string', help: 'Write a name before the colon.' }
        : { message: `The key \`${source}\` is not a string`, help: quoted }
    case 'proto':
      return { message: 'No key may be called `__proto__`', help: 'Choose another name.' }
    case 'not-finite':
      return { message: `\`${source}\` is no number that JSON knows`, help: quoted }
    case 'imprecise':
      return { message: `\`${source}\` has more digits than a JSON number keeps`, help: quoted }
    case 'surrogate':
      return {
        message: 'Half of a surrogate pair is no character',
        help: 'Write both halves, or the character itself.',
      }
    default:
      return { message: `\`${source}\` has no JSON form`, help: quoted }
  }
}
