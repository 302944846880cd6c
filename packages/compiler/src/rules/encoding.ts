import type { Rule } from './rule.ts'

/** Decoding with replacement characters would hash one text and serve another. */
export const encoding: Rule = {
  id: 'encoding',
  severity: 'error',
  description: '`SKILL.md` is valid UTF-8.',
  skill({ manifest }, report) {
    if (manifest?.encoding === undefined) return
    const { encoding: found, at } = manifest.encoding
    report({
      message: found === 'not UTF-8' ? 'SKILL.md is not valid UTF-8' : `SKILL.md is ${found}, not UTF-8`,
      help: 'Save the file as UTF-8.',
      at,
    })
  },
}
