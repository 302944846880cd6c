import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

/** On macOS and Windows two such names are one file, so that digests differ from machine to machine. */
export const caseCollision: Rule = {
  id: 'case-collision',
  severity: 'warning',
  description: 'No two names in a folder differ only by case or by Unicode composition.',
  why: 'On macOS and Windows two such names are one file: a checkout keeps one of them, and the digests differ from machine to machine.',
  bad: {
    files: {
      'skills/refunds/SKILL.md': skillMd('refunds'),
      'skills/refunds/Policy.md': '',
      'skills/refunds/policy.md': '',
    },
  },
  good: { files: { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/refunds/policy.md': '' } },
  skill({ files, location }, report) {
    const seen = new Map<string, string>()
    for (const { path } of files) {
      const folded = path.normalize('NFC').toLowerCase()
      const other = seen.get(folded)
      if (other === undefined) seen.set(folded, path)
      else {
        report({
          message: `\`${other}\` and \`${path}\` are one file on macOS and Windows`,
          help: 'Rename one of them.',
          file: `${location}/${path}`,
        })
      }
    }
  },
}
