import type { Rule } from './rule.ts'

/** `**` passes over a folder without `SKILL.md` in silence, which hides a `skill.md`. */
export const skillMdCase: Rule = {
  id: 'skill-md-case',
  severity: 'warning',
  description: 'No folder that `**` passes over holds a `skill.md` in the wrong case.',
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
