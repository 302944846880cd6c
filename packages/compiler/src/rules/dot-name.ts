import { leftOutRule } from './left-out.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

/** Secrets and tool state live under such names. */
export const dotName: Rule = leftOutRule({
  id: 'dot-name',
  severity: 'warning',
  description: 'No name in a skill begins with a dot: such entries are left out.',
  why: 'Secrets and the state of tools live under names that begin with a dot, so that none of them is published unless a glob of `include` asks for it. Hosts built on the official SDK leave all of them out.',
  bad: {
    files: { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/refunds/.notes.md': 'Thirty days.\n' },
  },
  good: {
    files: { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/refunds/notes.md': 'Thirty days.\n' },
  },
  message: (_, name) => `\`${name}\` is left out, since its name begins with a dot`,
  help: 'Rename it if the skill needs it; else remove it or name it in `ignore`.',
})
