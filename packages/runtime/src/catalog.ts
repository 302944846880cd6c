import type { CompiledSkills } from './compiled.ts'
import type { RequestContext, SkillSource } from './source.ts'
import type {
  CacheHints,
  GetSkillResult,
  ListResourcesResult,
  ListSkillsResult,
  ReadResourceResult,
  Skill,
} from './wire.ts'
import { compiledSource, isCompiled } from './compiled.ts'
import { afterCursor } from './cursor.ts'
import { notServed } from './errors.ts'
import { canonicalUri } from './uri.ts'
import { skillResource } from './wire.ts'

/** The params of a request, as they came. Fields of the wrong type are refused like unknown ones. */
export interface Params {
  readonly uri?: unknown
  readonly cursor?: unknown
  readonly [field: string]: unknown
}

/**
 * What adapters serve: an answer for each method. Made by `createCatalog`, or by hand for full
 * control. Every answer is a `ProtocolError` (-32602) where nothing is served.
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
  /**
   * Calls `listener` after each change of what is served, until the function that it gives is called.
   * Left out where nothing ever changes.
   */
  onChange?(listener: () => void): () => void
}

/** Where messages for the people who run the server go. `console` is one. */
export interface Logger {
  warn(message: string, cause?: unknown): void
  error(message: string, cause?: unknown): void
}

export interface CatalogOptions extends Partial<CacheHints> {
  /** Entries a page, 100 by default. */
  readonly pageSize?: number
  /** Serve and advertise `resources/directory/read`. On by default. */
  readonly directoryRead?: boolean
  /**
   * Told what went wrong with computed skills and why; clients learn no more than "Internal error".
   * `console` by default. Compiled sets have nothing to say.
   */
  readonly logger?: Logger
  /**
   * Says that `authInfo` of every request is of a caller whom the server verified. `attachSkills` says it
   * for the SDK's servers. Access rules are refused without it.
   */
  readonly verified?: boolean
  /** Renders of computed skills that may run at once for this catalog. 16 for a whole process by default. */
  readonly concurrency?: number
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
 * const catalog = createCatalog(skills, { ttlMs: 60_000, cacheScope: 'public' })
 */
export function createCatalog(skills: Skills, options: CatalogOptions = {}): SkillCatalog {
  if ('resources' in skills) return skills
  const { pageSize = 100, directoryRead = true, ttlMs = 0, cacheScope = 'private' } = options
  const source = sourceOf(skills)
  if (source.computed) return source.computed.catalog(source, options)

  /** The skills that follow a cursor, and one more than a page holds if there is one. */
  async function skillsAfter({ cursor }: Params, context: RequestContext): Promise<readonly Skill[]> {
    return source.list(afterCursor(cursor), pageSize + 1, context)
  }

  /** A page of `items`, which follow its cursor, under `key`. */
  function page<K extends string, T extends { readonly uri: string }>(
    key: K,
    items: readonly T[],
  ): { [key in K]: readonly T[] } & { nextCursor?: string } {
    // A missing item ends the walk; the last one shown names where the next page begins.
    const next = items[pageSize] && { nextCursor: items[pageSize - 1]!.uri }
    return { [key]: items.slice(0, pageSize), ...next } as ReturnType<typeof page<K, T>>
  }

  return {
    cacheHints: { ttlMs, cacheScope },
    list: async (params, context) => page('skills', await skillsAfter(params, context)),
    resources: async (params, context) =>
      page('resources', (await skillsAfter(params, context)).map(skillResource)),
    async get({ uri }, context) {
      return { skill: (await source.get(at(uri), context)) ?? notServed(uri) }
    },
    async read({ uri }, context) {
      return { contents: [(await source.read(at(uri), context)) ?? notServed(uri)] }
    },
    ...(directoryRead && {
      async readDirectory({ uri, cursor }, context) {
        const after = afterCursor(cursor)
        const children = (await source.readDirectory(at(uri), context)) ?? notServed(uri)
        return page(
          'resources',
          children.filter((child) => child.uri > after),
        )
      },
    }),
  }
}

/** The canonical spelling of what should be a URI. */
function at(uri: unknown): string {
  return canonicalUri(uri) || notServed(uri)
}

/** A source of compiled skills, or the source itself. */
export function sourceOf(skills: CompiledSkills | SkillSource): SkillSource {
  return isCompiled(skills) ? compiledSource(skills) : skills
}
