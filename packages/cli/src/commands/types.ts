import path from 'node:path'
import {
  compareWithDisk,
  compile,
  declarationsOf,
  formatDiagnostic,
  writeOutput,
} from '@embed-skills/compiler'
import type { Output, TypedSet } from '@embed-skills/compiler'
import type { Arguments, Command, Io } from '../command.ts'
import { UsageError } from '../command.ts'
import { outputOfVite } from '../vite-config.ts'

const types: Command = {
  summary: 'Writes embed-skills.d.ts: names, paths and frontmatter of skills as types.',
  usage: 'types [<glob> | <id>=<glob> | /<glob of the macro>]... [--out embed-skills.d.ts] [--check]',
  options: {
    out: { type: 'string', short: 'o' },
    check: { type: 'boolean' },
  },
  async run(args, io) {
    const output = await outputOf(args, io)
    if (!output) {
      io.err('A skill has an error, so that the types are left as they were. embed-skills check shows it.')
      return 1
    }
    const differences = await compareWithDisk(output)
    const file = path.relative(io.cwd, path.join(output.folder, [...output.files.keys()][0]!))
    if (differences.some(({ kind }) => kind === 'foreign')) {
      io.err(`${file} was not written by embed-skills. Choose another --out, or remove the file.`)
      return 1
    }
    if (!args.values['check']) await writeOutput(output, differences)
    else if (differences.length) {
      io.err(`${file} is ${differences[0]!.kind}. Run the same command without --check.`)
      return 1
    }
    io.out(`${file}: ${differences.length ? 'written' : 'up to date'}`)
    return 0
  },
}
export default types

async function outputOf({ positionals, values }: Arguments, io: Io): Promise<Output | undefined> {
  if (positionals.length) return outputOfGlobs(positionals, String(values['out'] ?? 'embed-skills.d.ts'), io)
  const output = await outputOfVite(io.cwd)
  if (output === 'none')
    throw new UsageError(
      "There is no Vite configuration with the plugin here, so say where skills are: embed-skills types 'skills/*'",
    )
  return output
}

async function outputOfGlobs(
  sources: readonly string[],
  out: string,
  { cwd, err, isTerminal }: Io,
): Promise<Output | undefined> {
  const globs = new Map<string, string[]>()
  for (const source of sources) {
    const [, id, glob] = /^([\w:/-]+)=(.+)$/.exec(source) ?? ['', 'virtual:skills', source]
    const key = source.startsWith('/') ? source : id!
    globs.set(key, [...(globs.get(key) ?? []), source.startsWith('/') ? source.slice(1) : glob!])
  }
  const sets: TypedSet[] = []
  for (const [id, from] of globs) {
    const { skills, diagnostics } = await compile(from, { root: cwd })
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    for (const diagnostic of errors)
      err(`${formatDiagnostic(diagnostic, { root: cwd, colour: isTerminal })}\n`)
    if (errors.length) return undefined
    sets.push({ id, skills })
  }
  const file = path.resolve(cwd, out)
  return { folder: path.dirname(file), files: new Map([[path.basename(file), declarationsOf(sets)]]) }
}
