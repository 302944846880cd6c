import { editDistance } from '../nearest.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

const KNOWN = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']

export const unknownField: Rule = {
  id: 'unknown-field',
  severity: 'info',
  description: `The fields of the frontmatter are those of Agent Skills: ${KNOWN.map((field) => `\`${field}\``).join(', ')}.`,
  why: 'Single hosts know further fields, and they are passed on as they are. Others ignore them, and may give them another meaning one day; `metadata` is the place for fields of your own.',
  bad: { files: { 'skills/refunds/SKILL.md': skillMd('refunds', { fields: 'owner: billing\n' }) } },
  good: {
    files: { 'skills/refunds/SKILL.md': skillMd('refunds', { fields: 'metadata:\n  owner: billing\n' }) },
  },
  skill({ manifest }, report) {
    for (const field of Object.keys(manifest?.frontmatter ?? {})) {
      if (KNOWN.includes(field)) continue
      const lower = field.toLowerCase().replaceAll('_', '-')
      const meant = KNOWN.includes(lower) ? lower : (KNOWN.find((known) => isSlip(field, known)) ?? undefined)
      report({
        message: `\`${field}\` is no field of Agent Skills`,
        help:
          meant === undefined
            ? 'It is passed on. Put it below `metadata` if it is your own.'
            : `Is \`${meant}\` meant? Else it is passed on as it is.`,
        at: manifest?.locate([field], 'key'),
      })
    }
  },
}

/** Whether a word is a known one with a letter or two wrong. */
function isSlip(word: string, known: string): boolean {
  return word.length > 3 && Math.abs(word.length - known.length) < 3 && editDistance(word, known) < 3
}
