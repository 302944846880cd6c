import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

export const license: Rule = {
  id: 'license',
  severity: 'warning',
  description: '`license`, if given, is a text.',
  why: 'Agent Skills define `license` as the name of a licence or of the file that holds it. Nothing else can be shown.',
  bad: { files: { 'skills/refunds/SKILL.md': skillMd('refunds', { fields: 'license: [MIT]\n' }) } },
  good: { files: { 'skills/refunds/SKILL.md': skillMd('refunds', { fields: 'license: MIT\n' }) } },
  skill({ manifest }, report) {
    const value = manifest?.frontmatter?.['license']
    if (value === undefined || (typeof value === 'string' && value !== '')) return
    report({
      message: value === null || value === '' ? '`license` is empty' : '`license` is not a string',
      help: 'Name the licence, or the file that holds it, or remove the line.',
      at: manifest?.locate(['license'], 'value'),
    })
  },
}
