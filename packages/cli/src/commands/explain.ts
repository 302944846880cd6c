import { explainRule, nearest, ruleIds, rulesTable } from '@embed-skills/compiler'
import type { Command } from '../command.ts'
import { UsageError } from '../command.ts'

const explain: Command = {
  summary: 'Says what a rule asks for and why, or lists all rules.',
  usage: 'explain [rule]',
  ends: '0',
  options: {},
  async run({ positionals: [given, ...more] }, { out }) {
    if (more.length > 0) throw new UsageError('Name one rule, or none for a list of all')
    const id = given?.toLowerCase()
    if (id === undefined) {
      const width = Math.max(...ruleIds().map(({ length }) => length))
      for (const { id, severity, description } of rulesTable()) {
        out(`${id.padEnd(width)}  ${severity.padEnd(7)}  ${description}`)
      }
      return 0
    }
    const page = explainRule(id)
    if (page === undefined) {
      throw new UsageError(`There is no rule "${id}". The nearest are ${nearest(id, ruleIds()).join(', ')}.`)
    }
    out(page.trimEnd())
    return 0
  },
}
export default explain
