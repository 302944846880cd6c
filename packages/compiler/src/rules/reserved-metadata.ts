import type { Rule } from './rule.ts'

const RESERVED = 'io.modelcontextprotocol/'

/** Protocol E9. */
export const reservedMetadata: Rule = {
  id: 'reserved-metadata',
  severity: 'warning',
  description: `No key of \`metadata\` begins with \`${RESERVED}\`.`,
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
