import path from 'node:path'
import type { CompiledSkill, CompileOptions, SkillsConfig, SourceInput } from '@embed-skills/compiler'
import {
  compile,
  compileOptionsOf,
  createCompiler,
  formatDiagnostic,
  loadConfig,
  mergeConfig,
  sourcesOf,
} from '@embed-skills/compiler'
import type { Arguments, Command, Io } from './command.ts'
import { UsageError } from './command.ts'

/** What to compile, from the command line and the configuration file. */
export interface Project {
  readonly root: string
  readonly sources: readonly SourceInput[]
  readonly options: CompileOptions
  readonly lock: boolean | string
  /** The configuration file, absolute, if there is one. */
  readonly file: string | undefined
}

/** The options of every command that compiles. */
export const projectOptions: Command['options'] = {
  config: { type: 'string', short: 'c' },
  base: { type: 'string' },
  prefix: { type: 'string' },
  ignore: { type: 'string', multiple: true },
  include: { type: 'string', multiple: true },
  'main-file': { type: 'string' },
  rule: { type: 'string', multiple: true },
  'no-strict': { type: 'boolean' },
}

export const projectDetails: string = `  globs                  folders of skills, in quotes: 'skills/*'; without, those of the configuration file

  -c, --config <file>    instead of embed-skills.config.{ts,mts,js,mjs,json}
      --base <folder>    the folder that globs start from
      --prefix <path>    segments ahead of every skill path: acme/billing
      --ignore <glob>    files and folders to leave out; may be given several times
      --include <glob>   what to take in although its name leaves it out; may be given several times
      --main-file <name> what SKILL.md is called on disk
      --rule <id=level>  error, warning, info or off for a rule; may be given several times
      --no-strict        what hosts refuse is a warning where it can be served at all`

/** Whether an option says what to compile. */
export function saysProject({ values }: Pick<Arguments, 'values'>): boolean {
  return Object.keys(projectOptions).some((name) => values[name] !== undefined)
}

/**
 * Globs on the command line take the place of the file's `from`; the other options come from both, and those of the
 * command line win.
 *
 * @param example How the command is called with globs, for who gave none.
 */
export async function resolveProject(
  { positionals, values }: Pick<Arguments, 'positionals' | 'values'>,
  { cwd }: Pick<Io, 'cwd'>,
  example: string,
): Promise<Project> {
  const loaded = await usage(() => loadConfig(cwd, values['config'] as string | undefined))
  const config = mergeConfig(loaded?.config ?? {}, overOf(positionals, values, cwd))
  // Globs at a prompt start from where it stands.
  const root = loaded === undefined || positionals.length > 0 ? cwd : path.dirname(loaded.file)
  const sources = sourcesOf(config)
  if (sources.length === 0) {
    throw new UsageError(`Say where skills are: ${example}, or \`from\` in embed-skills.config.json`)
  }
  const options = { ...compileOptionsOf(config), root }
  const isOfFile = loaded !== undefined && positionals.length === 0 && !saysProject({ values })
  await usage(async () => void createCompiler(sources, options), isOfFile ? path.basename(loaded.file) : '')
  return { root, sources, options, lock: config.lock ?? false, file: loaded?.file }
}

function overOf(positionals: readonly string[], values: Arguments['values'], cwd: string): SkillsConfig {
  const text = (name: string): string | undefined => values[name] as string | undefined
  const list = (name: string): string[] | undefined => values[name] as string[] | undefined
  const given = {
    from: positionals.length > 0 ? positionals : undefined,
    base: values['base'] === undefined ? undefined : path.resolve(cwd, String(values['base'])),
    prefix: text('prefix'),
    ignore: list('ignore'),
    include: list('include'),
    mainFile: text('main-file'),
    strict: values['no-strict'] === true ? false : undefined,
    rules: rulesOf(list('rule') ?? []),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function rulesOf(given: readonly string[]): NonNullable<SkillsConfig['rules']> {
  const pairs = given.map((text) => {
    const [id = '', severity = ''] = text.split('=')
    if (severity === '') throw new UsageError(`Write --rule ${id}=error (or warning, info, off)`)
    return [id, severity]
  })
  return Object.fromEntries(pairs) as NonNullable<SkillsConfig['rules']>
}

/** All skills, those that hold templates too, if none has an error; errors are shown. */
export async function soundSkills(
  { sources, options, root }: Project,
  { isTerminal, err }: Io,
): Promise<readonly CompiledSkill[] | undefined> {
  const { skills, templates, diagnostics } = await usage(() => compile(sources, options))
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  for (const error of errors) err(`${formatDiagnostic(error, { root, colour: isTerminal })}\n`)
  return errors.length > 0 ? undefined : [...skills, ...templates]
}

/**
 * What is wrong with options is wrong with the call: a `TypeError` becomes a `UsageError`.
 *
 * @param file Where it stands, if it is a file.
 */
export async function usage<T>(run: () => Promise<T>, file = ''): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(file === '' ? error.message : `${file}: ${error.message}`, { cause: error })
  }
}

/** The names of skills that hold templates: `"welcome" holds templates`, `"a" and "b" hold templates`. */
export function holdTemplates(skills: readonly CompiledSkill[]): string {
  const names = new Intl.ListFormat('en').format(skills.map(({ path }) => `"${path}"`))
  return `${names} ${skills.length === 1 ? 'holds' : 'hold'} templates`
}
