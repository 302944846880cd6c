import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

/** The path of a skill is what follows the fixed part of the glob: for a skill there nothing is left. */
export const rootSkill: Rule = {
  id: 'root-skill',
  severity: 'error',
  description: 'No `SKILL.md` lies right in the folder where a `**` begins.',
  why: "A skill's path is what follows the fixed part of the glob. For a `SKILL.md` in that part itself nothing is left, so that it could not be served.",
  bad: { files: { 'skills/refunds/SKILL.md': skillMd('refunds') }, sources: 'skills/refunds/**' },
  good: { files: { 'skills/refunds/SKILL.md': skillMd('refunds') }, sources: 'skills/**' },
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
