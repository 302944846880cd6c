import type { Resource, ResourceContents, Skill } from './wire.ts'

export type MaybePromise<T> = T | Promise<T>

/** What a source may know of the request that it answers. */
export interface RequestContext {
  /** Aborted when the client has gone away. */
  readonly signal?: AbortSignal | undefined
  /** The HTTP request, where there is one. */
  readonly request?: Request | undefined
  /** The caller as the server verified it, in the form that the official SDKs give it. */
  readonly authInfo?: unknown
  /** What the client declared, where the server knows it. */
  readonly clientCapabilities?: object | undefined
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
}
