import path from 'node:path'
import { rules } from './rules/index.ts'
import { nearest } from './nearest.ts'
import { resolveEngines } from './template/engine.ts'
import type { ResolvedEngines } from './template/engine.ts'
import type { CompileOptions, Severity, SourceInput } from './types.ts'

/** A source with every question settled. */
export interface ResolvedSource {
  /** Globs of skill folders, relative to `base`, without a leading `./` or a trailing `/`. */
  readonly patterns: readonly string[]
  /** Absolute. */
  readonly base: string
  /** Empty where there is none. */
  readonly prefix: string
  /** Globs relative to `base`. */
  readonly ignore: readonly string[]
}

/** What `compile` works from. */
export interface ResolvedOptions {
  /** Absolute. */
  readonly root: string
  readonly sources: readonly ResolvedSource[]
  /** The severity of every rule, by id. */
  readonly severities: ReadonlyMap<string, Severity | 'off'>
  readonly engines: ResolvedEngines
}

/** @throws {TypeError} on arguments that are no sources or options, and on unknown rule ids. */
export function resolveOptions(
  input: SourceInput | readonly SourceInput[],
  options: CompileOptions,
): ResolvedOptions {
  const root = path.resolve(options.root ?? process.cwd())
  return {
    root,
    sources: resolveSources(input, root),
    severities: resolveSeverities(options.rules ?? {}),
    engines: resolveEngines(options.templates),
  }
}

function resolveSources(input: SourceInput | readonly SourceInput[], root: string): ResolvedSource[] {
  const list = Array.isArray(input) ? (input as readonly SourceInput[]) : [input as SourceInput]
  const ignore = negated(
    list.filter((source) => typeof source === 'string'),
    root,
  )
  const sources: ResolvedSource[] = []
  for (const source of list) {
    if (typeof source === 'string') {
      if (isNegated(source)) continue
      sources.push({ patterns: [cleanGlob(source, root)], base: root, prefix: '', ignore })
      continue
    }
    if (typeof source !== 'object' || source === null || source.from === undefined) {
      throw new TypeError(
        `A source is a glob such as 'skills/*' or an object with \`from\`; got ${JSON.stringify(source)}`,
      )
    }
    const base = path.resolve(root, source.base ?? '.')
    const from = Array.isArray(source.from) ? (source.from as readonly string[]) : [source.from as string]
    const positive = from.filter((pattern) => !isNegated(pattern))
    if (positive.length === 0) throw new TypeError(NO_SOURCES)
    sources.push({
      patterns: positive.map((pattern) => cleanGlob(pattern, base)),
      base,
      prefix: source.prefix ?? '',
      ignore: [...(source.ignore ?? []).map((pattern) => cleanGlob(pattern, base)), ...negated(from, base)],
    })
  }
  if (sources.length === 0) throw new TypeError(NO_SOURCES)
  return sources
}

const NO_SOURCES = "No sources: pass a glob of skill folders such as 'skills/*'"

/** Whether a glob says what to leave out of the others. `!(a|b)` is a glob like others. */
function isNegated(pattern: unknown): boolean {
  return typeof pattern === 'string' && /^!(?!\()/.test(pattern)
}

/** The globs of what the negated ones leave out. */
function negated(patterns: readonly string[], base: string): string[] {
  return patterns.filter(isNegated).map((pattern) => cleanGlob(pattern.slice(1), base))
}

/**
 * fast-glob finds nothing, silently, for an absolute pattern below a folder such as `a (x)`, so patterns are
 * always relative to a `cwd`: an absolute one is accepted only where it can be made so.
 */
function cleanGlob(pattern: unknown, base: string): string {
  if (typeof pattern !== 'string' || pattern === '') {
    throw new TypeError(`A glob must be a string that is not empty; got ${JSON.stringify(pattern)}`)
  }
  let glob = pattern
  if (path.isAbsolute(glob)) {
    const inside = [base, base.replaceAll('\\', '/')].find((start) => glob.startsWith(`${start}/`))
    if (inside === undefined) {
      throw new TypeError(`The glob ${JSON.stringify(glob)} is absolute: write \`{ base, from }\` instead`)
    }
    glob = glob.slice(inside.length + 1)
  }
  while (glob.startsWith('./')) glob = glob.slice(2)
  while (glob.endsWith('/')) glob = glob.slice(0, -1)
  return glob === '' ? '.' : glob
}

const SEVERITIES: readonly string[] = ['error', 'warning', 'info', 'off']

function resolveSeverities(
  chosen: Readonly<Record<string, Severity | 'off'>>,
): ReadonlyMap<string, Severity | 'off'> {
  const severities = new Map<string, Severity | 'off'>(rules.map((rule) => [rule.id, rule.severity]))
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
