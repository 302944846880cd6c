import { textOf } from '../content/text.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

const MAX = 500

export const bodyLength: Rule = {
  id: 'body-length',
  severity: 'info',
  description: `The body of \`SKILL.md\` has at most ${MAX} lines.`,
  why: 'All of it goes into the context of a model as soon as the skill is loaded. Details that are needed now and then belong into files beside it, which are read when they are needed.',
  bad: { files: { 'skills/refunds/SKILL.md': skillMd('refunds', { body: 'Another step.\n'.repeat(501) }) } },
  good: { files: { 'skills/refunds/SKILL.md': skillMd('refunds', { body: 'Another step.\n'.repeat(400) }) } },
  skill({ manifest, files }, report) {
    const [skillMd] = files
    if (manifest?.yaml === undefined || skillMd === undefined) return
    const head = manifest.yaml.split('\n').length + 1
    const lines = textOf(skillMd).trimEnd().split('\n').length - head
    if (lines <= MAX) return
    report({
      message: `The body has ${lines} lines`,
      help: `Keep to ${MAX}: move details into files beside it, and say when to read them.`,
      at: { line: head + MAX + 1, column: 1 },
    })
  },
}
