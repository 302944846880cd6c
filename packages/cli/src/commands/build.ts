import path from 'node:path'
import {
  compareWithDisk,
  compile,
  emitFiles,
  formatDiagnostic,
  leftovers,
  summarize,
  writeOutput,
} from '@embed-skills/compiler'
import type {
  CompiledSkill,
  CompileResult,
  Content,
  Difference,
  EmitFilesOptions,
  Output,
} from '@embed-skills/compiler'
import type { Arguments, Command, Io } from '../command.ts'
import { UsageError } from '../command.ts'
import { count } from '../count.ts'
import { watchFolders } from '../watch.ts'

const build: Command = {
  summary: 'Writes skills as a module, for where no bundler plugin runs: wrangler, Turbopack, tsc, Deno.',
  usage:
    'build <globs...> --out <file> [--content inline|chunks|pack] [--encoding utf8|base64] [--watch | --check]',
  options: {
    out: { type: 'string', short: 'o' },
    content: { type: 'string' },
    encoding: { type: 'string' },
    watch: { type: 'boolean', short: 'w' },
    check: { type: 'boolean' },
  },
  async run(args, io) {
    const options = resolve(args, io)
    if (!options.isWatching) return (await buildOnce(options, io)).code
    const stop = new AbortController()
    const interrupt = (): void => stop.abort()
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
    await watchFolders(async () => (await buildOnce(options, io)).folders, stop.signal)
    return 0
  },
}
export default build

interface Options {
  readonly globs: readonly string[]
  /** Relative to where the command runs. */
  readonly out: string
  readonly content: Content | undefined
  readonly encoding: NonNullable<EmitFilesOptions['encoding']>
  readonly isWatching: boolean
  readonly isCheck: boolean
}

function resolve({ positionals, values }: Arguments, { cwd }: Io): Options {
  const { out, content, encoding = 'utf8', watch = false, check = false } = values
  if (!positionals.length)
    throw new UsageError("Say where skills are: embed-skills build 'skills/*' --out src/skills.ts")
  if (typeof out !== 'string') throw new UsageError('Say what to write: --out src/skills.ts')
  if (!/\.m?[jt]s$/.test(out) || /\.d\.m?ts$/.test(out))
    throw new UsageError(`--out ends in .ts, .mts, .js or .mjs, not ${JSON.stringify(path.basename(out))}`)
  oneOf('--content', content ?? 'inline', ['inline', 'chunks', 'pack'])
  oneOf('--encoding', encoding, ['utf8', 'base64'])
  if (watch && check) throw new UsageError('--check compares once: leave --watch out')
  return {
    globs: positionals,
    out: path.relative(cwd, path.resolve(cwd, out)),
    content: content as Content | undefined,
    encoding: encoding as Options['encoding'],
    isWatching: watch === true,
    isCheck: check === true,
  }
}

function oneOf(option: string, value: unknown, allowed: readonly string[]): void {
  if (!allowed.includes(value as string))
    throw new UsageError(`${option} is one of ${allowed.join(', ')}, not ${JSON.stringify(value)}`)
}

/** Gives the exit code, and the folders in which a change calls for another build. */
async function buildOnce(options: Options, io: Io): Promise<{ code: number; folders: readonly string[] }> {
  const result = await compile(options.globs, { root: io.cwd })
  const folders = result.watch.directories
  report(result, io)
  if (result.diagnostics.some(({ severity }) => severity === 'error')) {
    io.err(`${summarize(result.diagnostics)}: ${options.out} is left as it was`)
    return { code: 1, folders }
  }
  const { output, choice } = outputOf(result.skills, options, io)
  const differences = await compareWithDisk(output)
  const foreign = differences.find(({ kind }) => kind === 'foreign')
  if (foreign) {
    const file = place(foreign, options)
    io.err(`${file} was not written by embed-skills. Choose another --out, or remove the file.`)
    return { code: 1, folders }
  }
  if (options.isCheck) return { code: checked(differences, options, io), folders }
  await writeOutput(output, differences)
  const isSilent = options.isWatching && !differences.length
  if (!isSilent)
    io.out(`${options.out}: ${sizes(result.skills)} │ ${choice}${differences.length ? '' : ' │ unchanged'}`)
  return { code: 0, folders }
}

function report({ diagnostics }: CompileResult, { cwd, isTerminal, err }: Io): void {
  for (const diagnostic of diagnostics)
    if (diagnostic.severity !== 'info')
      err(`${formatDiagnostic(diagnostic, { root: cwd, colour: isTerminal })}\n`)
}

function outputOf(
  skills: readonly CompiledSkill[],
  { out, content, encoding }: Options,
  { cwd }: Io,
): { output: Output; choice: string } {
  const isSmall = totalBytes(skills) < 1024 ** 2
  const chosen = content ?? (isSmall ? 'inline' : 'chunks')
  const reason = content ? '' : isSmall ? ': below 1 MiB' : ': from 1 MiB on'
  const file = path.basename(out)
  return {
    output: {
      folder: path.resolve(cwd, path.dirname(out)),
      files: emitFiles(skills, { file, content: chosen, encoding }),
      leftovers: leftovers(file),
    },
    choice: chosen + reason,
  }
}

function checked(differences: readonly Difference[], options: Options, { err, out }: Io): number {
  if (!differences.length) {
    out(`${options.out} is up to date`)
    return 0
  }
  for (const difference of differences) err(`${place(difference, options)} is ${difference.kind}`)
  err('Run the same command without --check, and commit what it writes.')
  return 1
}

/** The file relative to where the command runs. */
function place({ file }: Difference, { out }: Options): string {
  return path.posix.join(path.dirname(out).split(path.sep).join('/'), file)
}

/** Equal files are counted once in bytes, as they are written once. */
function totalBytes(skills: readonly CompiledSkill[]): number {
  const distinct = new Map(skills.flatMap(({ files }) => files.map(({ digest, size }) => [digest, size])))
  return [...distinct.values()].reduce((sum, size) => sum + size, 0)
}

function sizes(skills: readonly CompiledSkill[]): string {
  const files = skills.reduce((count, skill) => count + skill.files.length, 0)
  return `${count(skills.length, 'skill')} · ${count(files, 'file')} · ${Math.ceil(totalBytes(skills) / 1000)} kB`
}
