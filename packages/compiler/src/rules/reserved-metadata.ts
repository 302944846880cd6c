import { frontmatter } from './rule.ts'
import type { Rule } from './rule.ts'

const RESERVED = 'io.modelcontextprotocol/'

/** Protocol E9. */
export const reservedMetadata: Rule = {
  id: 'reserved-metadata',
  severity: 'warning',
  description: `No key of \`metadata\` begins with \`${RESERVED}\`.`,
  why: 'Keys that begin with `io.modelcontextprotocol/` belong to the protocol, which may give them a meaning.',
  bad: {
    files: {
      'skills/refunds/SKILL.md': frontmatter(
        'name: refunds',
        'description: Handles refunds.',
        'metadata:',
        '  io.modelcontextprotocol/team: "billing"',
      ),
    },
  },
  good: {
    files: {
      'skills/refunds/SKILL.md': frontmatter(
        'name: refunds',
        'description: Handles refunds.',
        'metadata:',
        '  example.com/team: "billing"',
      ),
    },
  },
  skill({ manifest }, report) {
    const value = manifest?.frontmatter?.['metadata']
    if (typeof value !== 'object' || value === null) return
    for (const key of Object.keys(value)) {
      if (!key.startsWith(RESERVED)) continue
      report({
        message: `\`${key}\` is reserved for the protocol`,
        help: 'Begin the key with a domain of your own.',
        at: manifest?.locate(['metadata', key], 'key'),
      })
    }
  },
}
