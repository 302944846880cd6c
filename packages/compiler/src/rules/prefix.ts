import type { SkillDraft } from '../read/skill.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

const SEGMENT = /^[\da-zA-Z][\w.~-]*$/

/** The runtime looks no deeper, so that a URI without end costs it nothing. */
const DEEPEST = 99

/** The last segment is the name, which has rules of its own. */
export const prefix: Rule = {
  id: 'prefix',
  severity: 'error',
  description: `Segments before a skill's name are letters, digits, \`.\`, \`_\`, \`~\` and \`-\`, and there are fewer than ${DEEPEST}.`,
  why: 'Segments before the name are part of a URI that people type and hosts compare (the first is an authority).',
  bad: { files: { 'skills/my team/refunds/SKILL.md': skillMd('refunds') }, sources: 'skills/**' },
  good: { files: { 'skills/my-team/refunds/SKILL.md': skillMd('refunds') }, sources: 'skills/**' },
  skill(skill, report) {
    const segments = skill.path.split('/').slice(0, -1)
    const bad = segments.findIndex((segment) => !SEGMENT.test(segment))
    if (segments.length >= DEEPEST) {
      report({
        message: `The skill path has ${segments.length + 1} segments; ${DEEPEST} can be served`,
        help: 'Begin the wildcards of the glob further below.',
        file: skill.location,
      })
    }
    if (bad === -1) return
    const rule = 'letters, digits, `.`, `_`, `~` and `-`, the first a letter or digit'
    if (bad < skill.prefixed) {
      const whole = segments.slice(0, skill.prefixed).join('/')
      report({
        message: `The prefix \`${whole}\` has the segment \`${segments[bad]}\``,
        help: `Each segment is made of ${rule}, with one \`/\` between: \`acme/billing\`.`,
        file: skill.base,
      })
    } else {
      report({
        message: `The folder \`${segments[bad]}\` cannot be part of a skill path`,
        help: `Name it with ${rule}, or begin the wildcards of the glob below it.`,
        file: folderOf(skill, segments.length - bad),
      })
    }
  },
}

/** The folder so many levels above the skill's own. */
function folderOf({ location }: SkillDraft, levels: number): string {
  return location.split('/').slice(0, -levels).join('/')
}
