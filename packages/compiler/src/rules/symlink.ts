import type { LeftOut } from '../read/skill.ts'
import { leftOutRule } from './left-out.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

const inside = leftOutRule({
  id: 'symlink',
  severity: 'warning',
  description: 'No skill holds or is a symlink: they are never followed.',
  why: 'A link can lead out of the skill, to anything on this machine, or in a circle, and it differs from machine to machine. It is never followed; the official SDK leaves a whole skill out for one.',
  bad: {
    files: {
      'skills/refunds/SKILL.md': skillMd('refunds'),
      'skills/refunds/AGENTS.md': { link: 'SKILL.md' },
    },
  },
  good: {
    files: { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/refunds/AGENTS.md': skillMd('refunds') },
  },
  message: (_: LeftOut, name: string) => `\`${name}\` is left out, since it is a symlink`,
  help: 'Put a copy in its place.',
})

/** A link can lead out of the skill, to anything on this machine, or in a circle. */
export const symlink: Rule = {
  ...inside,
  pattern(found, report, { relative }) {
    for (const link of found.links) {
      report({
        message: 'A symlink is not followed, so that this is no skill',
        help: 'Add the folder it leads to as a source, or put a copy in its place.',
        file: relative(link),
      })
    }
  },
}
