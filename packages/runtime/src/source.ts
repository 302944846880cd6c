import type { Resource, ResourceContents, Skill } from './wire.ts'

export type MaybePromise<T> = T | Promise<T>

/** What a source may know of the request that it answers: `{}` where there is none. */
export interface RequestContext {
  /** Aborted when the client has gone away. */
  readonly signal?: AbortSignal | undefined
  /** The HTTP request, where there is one. */
  readonly request?: Request | undefined
  /** The caller as the server verified it, in the form that the official SDKs give it. */
  readonly authInfo?: unknown
}

/** Part of a listing. A frozen array of `items` is one that never changes: its JSON may be kept. */
export interface Page<T> {
  readonly items: readonly T[]
  /** Whether there are more behind the last one. */
  readonly more: boolean
}

/**
 * Where a catalog's skills come from. A source carries its own behaviour: the catalog asks each in
 * turn and knows none of them by kind. URIs are given in canonical spelling, `skill://acme/refunds/SKILL.md`;
 * `undefined` says that nothing is served there. To answer with another error, throw a `ProtocolError`.
 */
export interface SkillSource {
  /**
   * The first skills, at most `limit`, whose URIs follow `after` (which is empty at the start), in
   * order of their URIs. Fewer only where there are no more.
   */
  list(after: string, limit: number, context: RequestContext): MaybePromise<Page<Skill>>
  /** The skill whose `SKILL.md` is at `uri`. */
  get(uri: string, context: RequestContext): MaybePromise<Skill | undefined>
  /** The file at `uri`. */
  read(uri: string, context: RequestContext): MaybePromise<ResourceContents | undefined>
  /** The direct children of the folder at `uri`, which has no `/` at its end, in order of their URIs. */
  readDirectory(uri: string, context: RequestContext): MaybePromise<readonly Resource[] | undefined>
}
