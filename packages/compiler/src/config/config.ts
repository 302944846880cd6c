import { isNegated } from '../sources/glob.ts'
import type { CompileOptions, SourceInput, SourceOptions } from '../types.ts'
import { refuseUnknownKeys } from '../unknown-keys.ts'

/** Options of a compilation that a configuration may have. */
export type ConfiguredOptions = Pick<CompileOptions, 'rules' | 'strict' | 'templates'>

/** What `embed-skills.config.{ts,js,json}` says, for the plugin and the CLI alike. */
export interface SkillsConfig extends Omit<SourceOptions, 'from'>, ConfiguredOptions {
  /** Where skills come from. `base`, `prefix`, `rename`, `ignore`, `include`, `binary` and `mainFile` beside it are those of its strings. */
  readonly from?: SourceInput | readonly SourceInput[]
  /** Compare digests with `skills.lock.json`, or a lock of another name; a difference fails the build. */
  readonly lock?: boolean | string
}

/**
 * Gives the configuration back, with completion and checks in an editor.
 *
 * @example
 * // embed-skills.config.ts
 * import { defineConfig } from 'embed-skills'
 *
 * export default defineConfig({ from: 'skills/*', rules: { 'broken-link': 'error' } })
 */
export function defineConfig(config: SkillsConfig): SkillsConfig {
  return config
}

const KEYS = [
  'from',
  'base',
  'prefix',
  'rename',
  'ignore',
  'include',
  'binary',
  'mainFile',
  'rules',
  'strict',
  'templates',
  'lock',
]

/** @throws {TypeError} if it is no configuration, with the key that is wrong. */
export function checkConfig(value: unknown, file: string): SkillsConfig {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(
      file.endsWith('.json')
        ? `${file} holds no configuration: write an object, such as { "from": "skills/*" }`
        : `${file} exports no configuration: write \`export default defineConfig({ … })\``,
    )
  }
  refuseUnknown(value, file)
  return value as SkillsConfig
}

/**
 * @param where What the message begins with: who has the option.
 * @param more Options that are known there beside those of a configuration.
 * @throws {TypeError} for an option that nobody knows, with the one that is most like it.
 */
export function refuseUnknown(options: object, where: string, more: readonly string[] = []): void {
  refuseUnknownKeys(options, [...KEYS, ...more], where)
}

/**
 * Two configurations as one: what `over` says wins, key by key; of `rules`, rule by rule. An option that is undefined
 * says nothing.
 */
export function mergeConfig(under: SkillsConfig, over: SkillsConfig): SkillsConfig {
  const said = Object.fromEntries(Object.entries(over).filter(([, value]) => value !== undefined))
  const rules = { ...under.rules, ...over.rules }
  return { ...under, ...said, ...(Object.keys(rules).length > 0 && { rules }) }
}

/** What a configuration says of how its sources are compiled. */
export function compileOptionsOf({ rules, strict, templates }: SkillsConfig): ConfiguredOptions {
  return {
    ...(rules && { rules }),
    ...(strict !== undefined && { strict }),
    ...(templates !== undefined && { templates }),
  }
}

/** The sources of a configuration, the options beside `from` applied to its strings. */
export function sourcesOf(config: SkillsConfig): SourceInput[] {
  const { from = [], base, prefix, rename, ignore = [], include, binary, mainFile } = config
  const inputs = [from].flat() as SourceInput[]
  const left = inputs.filter(isNegated)
  const shared = {
    ...(base !== undefined && { base }),
    ...(prefix !== undefined && { prefix }),
    ...(rename !== undefined && { rename }),
    ...(include !== undefined && { include }),
    ...(binary !== undefined && { binary }),
    ...(mainFile !== undefined && { mainFile }),
    ...(ignore.length > 0 && { ignore }),
  }
  if (Object.keys(shared).length === 0) return inputs
  const ignored = [...ignore, ...left.map((glob) => glob.slice(1))]
  return inputs
    .filter((input) => !left.includes(input as string))
    .map((input) => (typeof input === 'string' ? { ...shared, ignore: ignored, from: input } : input))
}
