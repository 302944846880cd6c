import { leftOutRule } from './left-out.ts'
import type { Rule } from './rule.ts'

export const nodeModules: Rule = leftOutRule({
  id: 'node-modules',
  severity: 'warning',
  description: 'No skill holds `node_modules`: the folder is left out.',
  message: () => '`node_modules` is left out',
  help: 'Tell the reader of the skill to install packages, or copy what it needs under another name.',
})
