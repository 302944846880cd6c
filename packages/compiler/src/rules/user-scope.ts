import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

/** Features S2: what lies in a home directory is on no other machine. */
export const userScope: Rule = {
  id: 'user-scope',
  severity: 'warning',
  description: 'Skills come from the project, not from the home directory of whoever builds it.',
  why: 'Skills in a home directory are on one machine alone: a colleague and the CI build another set, or none, from the same sources.',
  bad: {
    files: { '~/.claude/skills/refunds/SKILL.md': skillMd('refunds') },
    sources: { vendor: 'claude', scope: 'user' },
  },
  good: { files: { '.claude/skills/refunds/SKILL.md': skillMd('refunds') }, sources: { vendor: 'claude' } },
  pattern({ source, base, folders }, report, { relative }) {
    const { origin } = source
    if (origin === undefined || !('scope' in origin) || origin.scope !== 'user' || folders.length === 0)
      return
    const [skills, them] =
      folders.length === 1 ? ['1 skill comes', 'it'] : [`${folders.length} skills come`, 'them']
    report({
      message: `${skills} from a home directory, so that the build depends on this machine`,
      help: `Copy ${them} into the project to build the same everywhere.`,
      file: relative(base),
    })
  },
}
