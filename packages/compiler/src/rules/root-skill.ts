import type { Rule } from './rule.ts'

/** The path of a skill is what follows the fixed part of the glob: for a skill there nothing is left. */
export const rootSkill: Rule = {
  id: 'root-skill',
  severity: 'error',
  description: 'No `SKILL.md` lies right in the folder where a `**` begins.',
  pattern(found, report, { relative }) {
    if (!found.rootSkill) return
    const base = relative(found.base)
    report({
      message: `\`${base}\` is a skill itself, but \`${found.pattern}\` leaves no path for it`,
      help: `Name the folder alone (\`${base}\`), begin the \`**\` one folder higher, or move its SKILL.md.`,
      file: base === '.' ? 'SKILL.md' : `${base}/SKILL.md`,
    })
  },
}
