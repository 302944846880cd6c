import path from 'node:path'
import {
  compareWithDisk,
  compile,
  formatDiagnostic,
  summarize,
  withLock,
  writeOutput,
} from '@embed-skills/compiler'
import type { CompiledSkill, CompileResult, Difference, Output, WatchTargets } from '@embed-skills/compiler'
import type { Arguments, Io } from '../command.ts'
import type { Project } from '../project.ts'
import type { BuildOptions } from './options.ts'
import { holdTemplates, resolveProject, usage } from '../project.ts'
import { outputOf, sizes } from './output.ts'

export interface Built {
  /** The exit code. */
  readonly code: number
  /** What calls for another build when it changes. */
  readonly watch: WatchTargets
}

/** Reads the configuration and the skills anew, and writes what differs; nothing if anything is wrong with them. */
export async function buildOnce(args: Arguments, options: BuildOptions, io: Io): Promise<Built> {
  const project = await resolveProject(args, io, "embed-skills build 'skills/*' --out src/skills.ts")
  const compiled = await usage(() => compile(project.sources, project.options))
  const result = await withLock(compiled, project)
  const { watch } = result
  report(result, project, io)
  const fault = faultOf(result, options)
  if (fault === undefined) return { code: await write(result, options, io), watch }
  io.err(`${fault}: ${options.out} is left as it was`)
  return { code: 1, watch }
}

function report({ diagnostics }: CompileResult, { root }: Project, { isTerminal, err }: Io): void {
  for (const diagnostic of diagnostics)
    if (diagnostic.severity !== 'info') err(`${formatDiagnostic(diagnostic, { root, colour: isTerminal })}\n`)
}

/** Why nothing may be written, if so. */
function faultOf(
  { templates, diagnostics }: CompileResult,
  { content, encoding }: BuildOptions,
): string | undefined {
  if (diagnostics.some(({ severity }) => severity === 'error')) return summarize(diagnostics)
  if (templates.length === 0 || (content !== 'pack' && encoding !== 'base64')) return undefined
  const asked = content === 'pack' ? '--content pack' : '--encoding base64'
  return `${holdTemplates(templates)}, which are code, and ${asked} cannot hold code`
}

/** Gives the exit code. */
async function write(result: CompileResult, options: BuildOptions, io: Io): Promise<number> {
  const { output, choice } = outputOf(result, options, io)
  const holder = holderOf(output, result)
  if (holder !== undefined) {
    io.err(
      `${options.out} lies in the skill "${holder.path}", which would hold itself. Choose an --out elsewhere, or leave it out with \`ignore\`.`,
    )
    return 1
  }
  const differences = await compareWithDisk(output)
  const foreign = differences.find(({ kind }) => kind === 'foreign')
  if (foreign) {
    const file = place(foreign, options)
    io.err(`${file} was not written by embed-skills. Choose another --out, or remove the file.`)
    return 1
  }
  if (options.isCheck) return checked(differences, options, io)
  await writeOutput(output, differences)
  const isSilent = options.isWatching && !differences.length
  if (!isSilent)
    io.out(`${options.out}: ${sizes(result)} │ ${choice}${differences.length ? '' : ' │ unchanged'}`)
  return 0
}

/** The skill that holds what is to be written, of an earlier build. */
function holderOf(
  { folder, files }: Output,
  { skills, templates }: CompileResult,
): CompiledSkill | undefined {
  const written = new Set([...files.keys()].map((file) => path.join(folder, file)))
  return [...skills, ...templates].find((skill) =>
    skill.files.some((file) => written.has(path.join(skill.folder, file.path))),
  )
}

function checked(differences: readonly Difference[], options: BuildOptions, { err, out }: Io): number {
  if (!differences.length) {
    out(`${options.out} is up to date`)
    return 0
  }
  for (const difference of differences) err(`${place(difference, options)} is ${difference.kind}`)
  err('Run the same command without --check, and commit what it writes.')
  return 1
}

/** The file relative to where the command runs. */
function place({ file }: Difference, { out }: BuildOptions): string {
  return path.posix.join(path.dirname(out).split(path.sep).join('/'), file)
}
