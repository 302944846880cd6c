import { leftOutRule } from './left-out.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

export const nodeModules: Rule = leftOutRule({
  id: 'node-modules',
  severity: 'warning',
  description: 'No skill holds `node_modules`: the folder is left out.',
  why: 'Installed packages are large, differ from machine to machine, and bring skills and licences of their own.',
  bad: {
    files: { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/refunds/node_modules/x/index.js': '' },
  },
  good: { files: { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/refunds/package.json': '{}' } },
  message: () => '`node_modules` is left out',
  help: 'Tell the reader of the skill to install packages, or copy what it needs under another name.',
})
