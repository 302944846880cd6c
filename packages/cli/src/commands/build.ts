import path from 'node:path'
import {
  checkLock,
  compareWithDisk,
  compile,
  emitFiles,
  formatChanges,
  formatDiagnostic,
  isUnchanged,
  leftovers,
  lockFile,
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
import { countSkills } from '../count.ts'
import { holdTemplates, projectDetails, projectOptions, resolveProject, usage } from '../project.ts'
import type { Project } from '../project.ts'
import { watchFolders } from '../watch.ts'
import type { Followed } from '../watch.ts'

const build: Command = {
  summary: 'Writes skills as a module, for where no bundler plugin runs: wrangler, Turbopack, tsc, Deno.',
  usage:
    'build [globs...] --out <file> [--content inline|chunks|pack] [--encoding utf8|base64] [--watch | --check]',
  details: `${projectDetails}
  -o, --out <file>       .ts, .mts, .js or .mjs
      --content <how>    inline (by default below 1 MiB), chunks, or pack
      --encoding <how>   utf8, or base64 where other tools rewrite code as text
  -w, --watch            builds again after every change
      --check            writes nothing; ends with 1 if a file on disk is not what it would write`,
  options: {
    ...projectOptions,
    out: { type: 'string', short: 'o' },
    content: { type: 'string' },
    encoding: { type: 'string' },
    watch: { type: 'boolean', short: 'w' },
    check: { type: 'boolean' },
  },
  async run(args, io) {
    const options = resolve(args, io)
    if (!options.isWatching) return (await buildOnce(args, options, io)).code
    const stop = new AbortController()
    const interrupt = (): void => stop.abort()
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
    await watchFolders(followed(args, options, io), stop.signal)
    return 0
  },
}
export default build

interface Options {
  /** Relative to where the command runs. */
  readonly out: string
  readonly content: Content | undefined
  readonly encoding: NonNullable<EmitFilesOptions['encoding']>
  readonly isWatching: boolean
  readonly isCheck: boolean
}

function resolve({ values }: Arguments, { cwd }: Io): Options {
  const { out, content, encoding = 'utf8', watch = false, check = false } = values
  if (typeof out !== 'string') throw new UsageError('Say what to write: --out src/skills.ts')
  if (!/\.m?[jt]s$/.test(out) || /\.d\.m?ts$/.test(out))
    throw new UsageError(`--out ends in .ts, .mts, .js or .mjs, not ${JSON.stringify(path.basename(out))}`)
  oneOf('--content', content ?? 'inline', ['inline', 'chunks', 'pack'])
  oneOf('--encoding', encoding, ['utf8', 'base64'])
  if (watch && check) throw new UsageError('--check compares once: leave --watch out')
  return {
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

/** A build for each change. What is wrong with the configuration is said, and mended in the next one. */
function followed(args: Arguments, options: Options, io: Io): () => Promise<Followed> {
  let last: Followed | undefined
  return async () => {
    try {
      last = (await buildOnce(args, options, io)).followed
    } catch (error) {
      if (!last || !(error instanceof UsageError)) throw error
      io.err(`${error.message}\n${options.out} is left as it was`)
    }
    return last
  }
}

/** Gives the exit code, and what calls for another build when it changes. */
async function buildOnce(
  args: Arguments,
  options: Options,
  io: Io,
): Promise<{ code: number; followed: Followed }> {
  const project = await resolveProject(args, io, "embed-skills build 'skills/*' --out src/skills.ts")
  const result = await usage(() => compile(project.sources, project.options))
  const { watch, skills, templates, diagnostics } = result
  const lock = project.lock === false ? undefined : lockFile(project.root, project.lock)
  const followed = {
    folders: [...watch.directories, ...watch.missing],
    files: [project.file, lock].filter((file) => file !== undefined),
  }
  report(result, project, io)
  const leave = (reason: string): { code: number; followed: Followed } => {
    io.err(`${reason}: ${options.out} is left as it was`)
    return { code: 1, followed }
  }
  if (diagnostics.some(({ severity }) => severity === 'error')) return leave(summarize(diagnostics))
  const changes = lock && (await usage(() => checkLock(lock, [...skills, ...templates])))
  if (changes && !isUnchanged(changes)) {
    io.err(`Skills differ from the lock\n\n${formatChanges(changes)}\n`)
    return leave(`If that is meant, run \`embed-skills lock\` and commit ${path.basename(lock)}`)
  }
  if (templates.length > 0 && (options.content === 'pack' || options.encoding === 'base64')) {
    const asked = options.content === 'pack' ? '--content pack' : '--encoding base64'
    return leave(`${holdTemplates(templates)}, which are code, and ${asked} cannot hold code`)
  }
  const { output, choice } = outputOf(result, options, io)
  const differences = await compareWithDisk(output)
  const foreign = differences.find(({ kind }) => kind === 'foreign')
  if (foreign) {
    const file = place(foreign, options)
    io.err(`${file} was not written by embed-skills. Choose another --out, or remove the file.`)
    return { code: 1, followed }
  }
  if (options.isCheck) return { code: checked(differences, options, io), followed }
  await writeOutput(output, differences)
  const isSilent = options.isWatching && !differences.length
  if (!isSilent)
    io.out(`${options.out}: ${sizes(result)} │ ${choice}${differences.length ? '' : ' │ unchanged'}`)
  return { code: 0, followed }
}

function report({ diagnostics }: CompileResult, { root }: Project, { isTerminal, err }: Io): void {
  for (const diagnostic of diagnostics)
    if (diagnostic.severity !== 'info') err(`${formatDiagnostic(diagnostic, { root, colour: isTerminal })}\n`)
}

function outputOf(
  { skills, templates }: CompileResult,
  { out, content, encoding }: Options,
  { cwd }: Io,
): { output: Output; choice: string } {
  const isSmall = totalBytes([...skills, ...templates]) < 1024 ** 2
  const chosen = content ?? (isSmall ? 'inline' : 'chunks')
  const reason = content ? '' : isSmall ? ': below 1 MiB' : ': from 1 MiB on'
  const file = path.basename(out)
  return {
    output: {
      folder: path.resolve(cwd, path.dirname(out)),
      files: emitFiles(skills, { file, content: chosen, encoding, templates }),
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

function sizes({ skills, templates }: CompileResult): string {
  const bytes = totalBytes([...skills, ...templates])
  const sum = [...countSkills({ skills, templates }), `${Math.ceil(bytes / 1000)} kB`].join(' · ')
  return templates.length > 0 ? `${sum} │ ${holdTemplates(templates)}, for renderSkill` : sum
}
