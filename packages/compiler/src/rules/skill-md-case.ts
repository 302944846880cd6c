import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

/** `**` passes over a folder without `SKILL.md` in silence, which hides a `skill.md`. */
export const skillMdCase: Rule = {
  id: 'skill-md-case',
  severity: 'warning',
  description: 'No folder that `**` passes over holds a `skill.md` in the wrong case.',
  why: '`**` passes over folders without a `SKILL.md` in silence. A `skill.md` works on a machine whose file system ignores case, and is no skill on any other.',
  bad: {
    files: { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/support/skill.md': skillMd('support') },
    sources: 'skills/**',
  },
  good: {
    files: { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/support/SKILL.md': skillMd('support') },
    sources: 'skills/**',
  },
  pattern(found, report, { relative }) {
    for (const file of found.wrongCase) {
      report({
        message: `The folder is no skill, since the case of the letters of \`${found.source.mainFile}\` counts`,
        help: `Rename the file to \`${found.source.mainFile}\` if it is meant as one.`,
        file: relative(file),
      })
    }
  },
}
