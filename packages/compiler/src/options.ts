import path from 'node:path'
import { rules } from './rules/index.ts'
import { nearest } from './nearest.ts'
import { isNegated, NO_SOURCES } from './sources/glob.ts'
import { resolveSource } from './sources/resolve.ts'
import type { CompileOptions, FindingsCache, Severity, SourceInput } from './types.ts'

/** A source with every question settled. */
export interface ResolvedSource {
  /** Globs of skill folders, relative to `base`, without a leading `./` or a trailing `/`. */
  readonly patterns: readonly string[]
  /** Absolute. */
  readonly base: string
  /** Empty where there is none. */
  readonly prefix: string
  /** Skill paths by the path that the folder would give. */
  readonly rename: ReadonlyMap<string, string>
  /** Globs relative to `base`. */
  readonly ignore: readonly string[]
  /** Globs relative to `base`, of what to take in against its name. */
  readonly include: readonly string[]
  /** Globs relative to `base` of the binary files that are allowed; undefined if all are. */
  readonly binary: readonly string[] | undefined
  /** What `SKILL.md` is called on disk. */
  readonly mainFile: string
  /** The package or the agent that it came from. */
  readonly origin?: { readonly package: string } | { readonly vendor: string; readonly scope: string }
}

/** What `compile` works from. */
export interface ResolvedOptions {
  /** Absolute. */
  readonly root: string
  readonly sources: readonly ResolvedSource[]
  /** The severity of every rule, by id. */
  readonly severities: ReadonlyMap<string, Severity | 'off'>
  readonly cache?: FindingsCache
  readonly onProgress: CompileOptions['onProgress']
}

/** @throws {TypeError} on arguments that are no sources or options, and on unknown rule ids. */
export function resolveOptions(
  input: SourceInput | readonly SourceInput[],
  options: CompileOptions,
): ResolvedOptions {
  const root = path.resolve(options.root ?? process.cwd())
  const { rules = {}, strict = true, cache, onProgress } = options
  return {
    root,
    sources: resolveSources(input, root),
    severities: resolveSeverities(rules, strict),
    ...(cache && { cache }),
    onProgress,
  }
}

function resolveSources(input: SourceInput | readonly SourceInput[], root: string): ResolvedSource[] {
  const list = Array.isArray(input) ? (input as readonly SourceInput[]) : [input as SourceInput]
  const ignore = list.filter(isNegated).map((glob) => glob.slice(1))
  const sources = list.filter((source) => !isNegated(source))
  if (sources.length === 0) throw new TypeError(NO_SOURCES)
  return sources.map((source) => resolveSource(source, ignore, root))
}

const SEVERITIES: readonly string[] = ['error', 'warning', 'info', 'off']

function resolveSeverities(
  chosen: Readonly<Record<string, Severity | 'off'>>,
  strict: boolean,
): ReadonlyMap<string, Severity | 'off'> {
  const severities = new Map<string, Severity | 'off'>(
    rules.map((rule) => [rule.id, rule.strict === true && !strict ? 'warning' : rule.severity]),
  )
  for (const [id, severity] of Object.entries(chosen)) {
    if (!severities.has(id)) {
      const near = nearest(id, [...severities.keys()]).map((other) => `\`${other}\``)
      throw new TypeError(`There is no rule \`${id}\`. The nearest are ${near.join(', ')}`)
    }
    if (!SEVERITIES.includes(severity)) {
      throw new TypeError(
        `The severity of \`${id}\` must be one of ${SEVERITIES.join(', ')}; got ${severity}`,
      )
    }
    if (severity !== 'error' && rules.some((rule) => rule.id === id && rule.fixed)) {
      throw new TypeError(`\`${id}\` is always an error: without it the compiled set would contradict itself`)
    }
    severities.set(id, severity)
  }
  return severities
}
