import { leftOutRule } from './left-out.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

export const incidentalFile: Rule = leftOutRule({
  id: 'incidental-file',
  severity: 'info',
  description:
    '`.DS_Store`, `.gitkeep`, `embed-skills.d.ts`, `skills.lock.json` and their like are left out.',
  why: 'File managers write such files by themselves, and `.gitkeep` is only there so that git keeps a folder: nobody misses them in a skill. The lock and the types are written from the skills, and cannot be part of one.',
  bad: { files: { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/refunds/.DS_Store': '' } },
  good: { files: { 'skills/refunds/SKILL.md': skillMd('refunds') } },
  message: (_, name) => `\`${name}\` is left out`,
  help: 'Nothing needs to be done.',
})
