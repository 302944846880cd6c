import { compile, formatDiagnostic, summarize } from '@embed-skills/compiler'
import type { Command } from '../command.ts'
import { UsageError } from '../command.ts'

const check: Command = {
  summary: 'Reads skill folders and reports everything that a host would refuse.',
  usage: 'check <globs...>',
  options: {},
  async run({ positionals }, { cwd, isTerminal, out }) {
    if (!positionals.length) throw new UsageError("Say where skills are: embed-skills check 'skills/*'")
    const { skills, diagnostics } = await compile(positionals, { root: cwd })
    for (const diagnostic of diagnostics)
      out(`${formatDiagnostic(diagnostic, { root: cwd, colour: isTerminal })}\n`)
    const files = skills.reduce((count, skill) => count + skill.files.length, 0)
    out([`${skills.length} skills, ${files} files`, summarize(diagnostics)].filter(Boolean).join(': '))
    return diagnostics.some(({ severity }) => severity === 'error') ? 1 : 0
  },
}
export default check
