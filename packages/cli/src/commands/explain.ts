import { explainRule, nearest, ruleIds, rulesTable } from '@embed-skills/compiler'
import type { Command } from '../command.ts'
import { UsageError } from '../command.ts'

const explain: Command = {
  summary: 'Says what a rule asks for and why, with an example. Without a rule, lists them all.',
  usage: 'explain [rule]',
  options: {},
  async run({ positionals: [id] }, { out }) {
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
