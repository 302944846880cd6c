import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

/** Decoding with replacement characters would hash one text and serve another. */
export const encoding: Rule = {
  id: 'encoding',
  severity: 'error',
  description: '`SKILL.md` is valid UTF-8.',
  why: 'A host reads `SKILL.md` as UTF-8. Decoding something else with replacement characters would hash one text and show another.',
  bad: {
    files: {
      'skills/refunds/SKILL.md': new Uint8Array(
        Buffer.from(skillMd('refunds').replace('.', '\xe9'), 'latin1'),
      ),
    },
  },
  good: { files: { 'skills/refunds/SKILL.md': skillMd('refunds') } },
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
