import path from 'node:path'
import type { ResolvedSource } from '../options.ts'
import type { SharedSourceOptions, SourceInput } from '../types.ts'
import { refuseUnknownKeys } from '../unknown-keys.ts'
import { cleanGlob, isNegated, NO_SOURCES } from './glob.ts'
import { packageFolder } from './package.ts'
import { vendorGlob, vendorHome } from './vendor.ts'

const SHARED = ['prefix', 'rename', 'ignore', 'include', 'binary', 'mainFile']

/**
 * A source with every question settled. `ignore` holds for strings alone.
 *
 * @throws {TypeError} on what is no source.
 */
export function resolveSource(source: SourceInput, ignore: readonly string[], root: string): ResolvedSource {
  if (typeof source === 'string') return settle([source], root, { ignore })
  if (typeof source === 'object' && source !== null) {
    if ('vendor' in source) {
      refuseUnknownKeys(source, ['vendor', 'scope', ...SHARED], 'A source of an agent')
      const { vendor, scope = 'project' } = source
      const base = scope === 'user' ? vendorHome() : root
      return { ...settle([vendorGlob(vendor, scope)], base, source), origin: { vendor, scope } }
    }
    if ('package' in source) {
      refuseUnknownKeys(source, ['package', 'from', ...SHARED], 'A source of a package')
      const { package: name, from = 'skills/*' } = source
      return { ...settle([from].flat(), packageFolder(name, root), source), origin: { package: name } }
    }
    if (source.from !== undefined) {
      refuseUnknownKeys(source, ['from', 'base', ...SHARED], 'A source')
      return settle([source.from].flat(), path.resolve(root, source.base ?? '.'), source)
    }
  }
  throw new TypeError(
    `A source is a glob such as 'skills/*' or an object with \`from\`; got ${JSON.stringify(source)}`,
  )
}

function settle(
  from: readonly string[],
  base: string,
  { prefix = '', rename = {}, mainFile = 'SKILL.md', ...options }: SharedSourceOptions,
): ResolvedSource {
  if (mainFile === '' || /[\\/]/.test(mainFile)) {
    throw new TypeError(`\`mainFile\` is the name of a file, not ${JSON.stringify(mainFile)}`)
  }
  const clean = (globs: readonly string[]): string[] => globs.map((glob) => cleanGlob(glob, base))
  const { ignore = [], include = [], binary = true } = options
  const patterns = from.filter((glob) => !isNegated(glob))
  if (patterns.length === 0) throw new TypeError(NO_SOURCES)
  const negated = from.filter(isNegated).map((glob) => glob.slice(1))
  return {
    patterns: clean(patterns),
    base,
    prefix,
    rename: new Map(Object.entries(rename)),
    ignore: clean([...ignore, ...negated]),
    include: clean(include),
    binary: binary === true ? undefined : clean(binary === false ? [] : binary),
    mainFile,
  }
}
