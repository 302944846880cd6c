import path from 'node:path'
import type { CompileOptions, SkillsConfig, SourceInput } from '@embed-skills/compiler'
import { loadConfig, mergeConfig, sourcesOf } from '@embed-skills/compiler'
import type { Arguments, Command, Io } from './command.ts'
import { UsageError } from './command.ts'

/** What to compile, from the command line and the configuration file. */
export interface Project {
  readonly root: string
  readonly sources: readonly SourceInput[]
  readonly options: CompileOptions
  readonly lock: boolean | string
}

/** The options of every command that compiles. */
export const projectOptions: Command['options'] = {
  config: { type: 'string', short: 'c' },
  rule: { type: 'string', multiple: true },
  'no-strict': { type: 'boolean' },
}

export const projectDetails: string = `  -c, --config <file>    instead of embed-skills.config.{ts,js,json}
      --rule <id=level>  error, warning, info or off for a rule; may be given several times
      --no-strict        what hosts refuse is a warning where it can be served at all`

/** Globs on the command line take the place of the file's `from`; the other options come from both. */
export async function resolveProject({ positionals, values }: Arguments, { cwd }: Io): Promise<Project> {
  const loaded = await usage(() => loadConfig(cwd, values['config'] as string | undefined))
  const over: SkillsConfig = {
    ...(positionals.length > 0 && { from: positionals }),
    ...(values['no-strict'] === true && { strict: false }),
    rules: rulesOf((values['rule'] as string[] | undefined) ?? []),
  }
  const config = mergeConfig(loaded?.config ?? {}, over)
  // Globs at a prompt start from where it stands.
  const root = loaded === undefined || positionals.length > 0 ? cwd : path.dirname(loaded.file)
  const sources = sourcesOf(config)
  if (sources.length === 0) {
    throw new UsageError(
      "Say where skills are: embed-skills check 'skills/*', or `from` in embed-skills.config.json",
    )
  }
  const { rules, strict, lock = false } = config
  const options = { root, ...(rules && { rules }), ...(strict !== undefined && { strict }) }
  return { root, sources, options, lock }
}

function rulesOf(given: readonly string[]): NonNullable<SkillsConfig['rules']> {
  const pairs = given.map((text) => {
    const [id = '', severity = ''] = text.split('=')
    if (severity === '') throw new UsageError(`Write --rule ${id}=error (or warning, info, off)`)
    return [id, severity]
  })
  return Object.fromEntries(pairs) as NonNullable<SkillsConfig['rules']>
}

/** What is wrong with options is wrong with the call: a `TypeError` becomes a `UsageError`. */
export async function usage<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}
