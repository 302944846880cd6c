import type { CatalogOptions, SkillCatalog } from './catalog.ts'
import type { CompiledSkills } from './compiled.ts'
import type { Resource, ResourceContents, Skill } from './wire.ts'

export type MaybePromise<T> = T | Promise<T>

/** What a source may know of the request that it answers. */
export interface RequestContext {
  /** Aborted when the client has gone away. */
  readonly signal?: AbortSignal | undefined
  /** The HTTP request, where there is one. */
  readonly request?: Request | undefined
  /** The session, where the transport keeps any. */
  readonly sessionId?: string | undefined
  /** The caller as the server verified it, in the form that the official SDKs give it. */
  readonly authInfo?: AuthInfo | undefined
}

/** A caller whose token was verified, as both official SDKs say it. */
export interface AuthInfo {
  readonly token?: string
  /** The OAuth client that the token was issued to. */
  readonly clientId?: string
  readonly scopes?: readonly string[]
  /** Seconds since the epoch. */
  readonly expiresAt?: number | undefined
  /** What else the verifier knows; `sub` is taken for the user's id. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Where a catalog's skills come from. A source carries its own behaviour: the catalog asks each in
 * turn and knows none of them by kind. URIs are given in canonical spelling.
 */
export interface SkillSource {
  /**
   * The first skills whose URIs follow `after` (which is empty at the start), in order of their URIs:
   * `limit` of them, or fewer where there are no more.
   */
  list(after: string, limit: number, context: RequestContext): MaybePromise<readonly Skill[]>
  /** The skill whose `SKILL.md` is at `uri`. */
  get(uri: string, context: RequestContext): MaybePromise<Skill | undefined>
  /** The file at `uri`. */
  read(uri: string, context: RequestContext): MaybePromise<ResourceContents | undefined>
  /** The direct children of the folder at `uri`, in order of their URIs. */
  readDirectory(uri: string, context: RequestContext): MaybePromise<readonly Resource[] | undefined>
  /** What it takes to serve this source where its skills are computed. Compiled sets have none. */
  readonly computed?: Computed
}

/**
 * What sources of computed skills bring along, so that who serves none of them pays nothing: the
 * catalog and the join that know about hints of a single skill, nesting, access and failures.
 */
export interface Computed {
  /** The catalog of this source, in place of the plain one. */
  catalog(source: SkillSource, options: CatalogOptions): SkillCatalog
  /** The join of this source with others, in place of the plain one. */
  join(skills: readonly (CompiledSkills | SkillSource)[]): SkillSource
}
