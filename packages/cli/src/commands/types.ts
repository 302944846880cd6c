import path from 'node:path'
import { compareWithDisk, declarationsOf, writeOutput } from '@embed-skills/compiler'
import type { Output, TypedSet } from '@embed-skills/compiler'
import type { Arguments, Command, Io } from '../command.ts'
import { UsageError } from '../command.ts'
import { projectDetails, projectOptions, resolveProject, saysProject, soundSkills } from '../project.ts'
import { outputOfVite } from '../vite-config.ts'

const types: Command = {
  summary: 'Writes names, paths and frontmatter of skills as types.',
  usage: 'types [<glob> | <id>=<glob> | /<glob of the macro>]... [--out embed-skills.d.ts] [--check]',
  ends: '0 if all is written, 1 if a skill has an error, or with --check if the file is stale',
  details: `Without globs and options, the sets are those of the project's Vite configuration; where that
has no plugin, the set is the one of embed-skills.config.{ts,mts,js,mjs,json}.

${projectDetails}
  -o, --out <file>       instead of embed-skills.d.ts
      --check            writes nothing; ends with 1 if the file on disk is not what it would write`,
  options: {
    ...projectOptions,
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

async function outputOf(args: Arguments, io: Io): Promise<Output | undefined> {
  const { positionals, values } = args
  const out = values['out'] === undefined ? undefined : path.resolve(io.cwd, String(values['out']))
  if (out !== undefined && !/\.d\.m?ts$/.test(out))
    throw new UsageError(`--out ends in .d.ts, not ${JSON.stringify(path.basename(out))}`)
  if (positionals.length === 0 && !saysProject(args)) {
    const output = await outputOfVite(io.cwd)
    if (output !== 'none')
      return output && out !== undefined ? at(out, [...output.files.values()][0]!) : output
  }
  const sets = await setsOf(args, io)
  return sets && at(out ?? path.resolve(io.cwd, 'embed-skills.d.ts'), declarationsOf(sets.typed, sets.root))
}

function at(file: string, text: string | Uint8Array): Output {
  return { folder: path.dirname(file), files: new Map([[path.basename(file), text]]) }
}

interface Sets {
  readonly typed: readonly TypedSet[]
  readonly root: string
}

/** What the command line names, or the configuration file. */
async function setsOf({ positionals, values }: Arguments, io: Io): Promise<Sets | undefined> {
  const typed: TypedSet[] = []
  let root = io.cwd
  for (const [id, globs] of globsById(positionals)) {
    const project = await resolveProject({ positionals: globs, values }, io, "embed-skills types 'skills/*'")
    root = project.root
    // A call of the macro says all there is to say of its sources.
    const sources = id.startsWith('/') ? globs : project.sources
    const skills = await soundSkills({ ...project, sources }, io)
    if (!skills) return undefined
    typed.push({ id, skills })
  }
  return { typed, root }
}

/** Without any, the set is that of the configuration file. */
function globsById(positionals: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const globs = new Map<string, string[]>()
  if (positionals.length === 0) globs.set('virtual:skills', [])
  for (const source of positionals) {
    const [, id, glob] = /^([\w:/-]+)=(.+)$/.exec(source) ?? ['', 'virtual:skills', source]
    const key = source.startsWith('/') ? source : id!
    globs.set(key, [...(globs.get(key) ?? []), source.startsWith('/') ? source.slice(1) : glob!])
  }
  return globs
}
