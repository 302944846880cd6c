import type { CompiledSkills } from './compiled.ts'
import type { Page, RequestContext, SkillSource } from './source.ts'
import type {
  CacheHints,
  GetSkillResult,
  ListResourcesResult,
  ListSkillsResult,
  ReadResourceResult,
} from './wire.ts'
import { compiledSource, isCompiled } from './compiled.ts'
import { afterCursor, requestedUri } from './cursor.ts'
import { notFound } from './errors.ts'
import { skillResource } from './wire.ts'

/** The params of a request, as they came. Fields of the wrong type are refused like unknown ones. */
export interface Params {
  readonly uri?: unknown
  readonly cursor?: unknown
  readonly [field: string]: unknown
}

/**
 * What adapters serve: an answer for each method, in the shape that travels. Made by `createCatalog`, or
 * by hand for full control. Every method throws a `ProtocolError` (-32602) for a URI at which nothing is
 * served, and for a cursor that it did not give.
 */
export interface SkillCatalog {
  /** The hints of every result that carries none of its own. */
  readonly cacheHints: CacheHints
  /** `skills/list`: a page of entries, by URI. */
  list(params: Params, context: RequestContext): Promise<ListSkillsResult>
  /** `skills/get`: the skill whose `SKILL.md` is at `uri`, listed or not. */
  get(params: Params, context: RequestContext): Promise<GetSkillResult>
  /** `resources/read`: the file at `uri`. */
  read(params: Params, context: RequestContext): Promise<ReadResourceResult>
  /** `resources/list`: our part of it, the `SKILL.md` of every listed skill. */
  resources(params: Params, context: RequestContext): Promise<ListResourcesResult>
  /** `resources/directory/read`: the direct children of `uri`. Left out, it is not advertised. */
  readDirectory?(params: Params, context: RequestContext): Promise<ListResourcesResult>
}

/** How a catalog answers. `ttlMs` is 0 and `cacheScope` is `private` unless given. */
export interface CatalogOptions extends Partial<CacheHints> {
  /** The most entries in a page, 100 by default. */
  readonly pageSize?: number
  /** Serve and advertise `resources/directory/read`. On by default. */
  readonly directoryRead?: boolean
}

/** Wherever skills are taken: a compiled set, another source, or a catalog. */
export type Skills = CompiledSkills | SkillSource | SkillCatalog

/**
 * Answers the methods of the Skills extension from a source. `joinSkills` makes one source of many.
 *
 * @param skills A compiled set (`import skills from 'virtual:skills'`) or another source. A catalog
 *   is given back as it is.
 * @throws TypeError for a compiled set whose format this runtime does not read.
 *
 * @example
 * import { createCatalog } from '@embed-skills/runtime'
 * import skills from 'virtual:skills'
 *
 * const catalog = createCatalog(skills, { ttlMs: 60_000, cacheScope: 'public' })
 * const { skills: entries, nextCursor } = await catalog.list({}, {})
 */
export function createCatalog(
  skills: Skills,
  { pageSize = 100, directoryRead = true, ttlMs = 0, cacheScope = 'private' }: CatalogOptions = {},
): SkillCatalog {
  if ('resources' in skills) return skills
  const source = sourceOf(skills)

  return {
    cacheHints: { ttlMs, cacheScope },
    async list({ cursor }, context) {
      return toResult('skills', await source.list(afterCursor(cursor), pageSize, context))
    },
    async resources({ cursor }, context) {
      const { items, more } = await source.list(afterCursor(cursor), pageSize, context)
      return toResult('resources', { items: items.map(skillResource), more })
    },
    async get({ uri }, context) {
      return { skill: (await source.get(requestedUri(uri), context)) ?? notFound(uri) }
    },
    async read({ uri }, context) {
      return { contents: [(await source.read(requestedUri(uri), context)) ?? notFound(uri)] }
    },
    ...(directoryRead && {
      async readDirectory({ uri, cursor }, context) {
        const after = afterCursor(cursor)
        const children = (await source.readDirectory(requestedUri(uri), context)) ?? notFound(uri)
        const items = children.filter((child) => child.uri > after)
        return toResult('resources', { items: items.slice(0, pageSize), more: items.length > pageSize })
      },
    }),
  }
}

/** A page of a listing as it travels, under `key`. */
function toResult<K extends string, T extends { readonly uri: string }>(
  key: K,
  { items, more }: Page<T>,
): { [key in K]: readonly T[] } & { nextCursor?: string } {
  return { [key]: items, ...(more && { nextCursor: items.at(-1)!.uri }) } as ReturnType<typeof toResult<K, T>>
}

/** A source of compiled skills, or the source itself. */
export function sourceOf(skills: CompiledSkills | SkillSource): SkillSource {
  return isCompiled(skills) ? compiledSource(skills) : skills
}
