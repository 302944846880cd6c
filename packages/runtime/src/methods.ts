import type { Params, SkillCatalog } from './catalog.ts'
import type { MaybePromise, RequestContext } from './source.ts'
import type { CacheHints } from './wire.ts'
import { SKILLS_EXTENSION } from './wire.ts'

/** Answers one method: the result, without the fields that depend on the protocol era. */
export interface Method {
  (params: Params, context: RequestContext): Promise<object>
  /**
   * Whether a call is ours, on a server that answers the same method for others too. Lists have none:
   * they are merged.
   */
  owns?(params: Params, context: RequestContext): MaybePromise<boolean>
}

/** What a server of skills answers and declares. */
export interface MethodTable {
  readonly catalog: SkillCatalog
  readonly methods: Map<string, Method>
  readonly capabilities: Record<string, object>
}

/**
 * Something offered beside the Skills extension: tools, prompts, an older convention. It adds itself
 * to the table of a server, and may replace or wrap what is there. Every adapter takes features in its
 * options, and a bundle holds those alone that it imports.
 */
export type Feature = (table: MethodTable) => void

/** Options of every adapter. */
export interface FeatureOptions {
  /** What is offered beside the Skills extension. */
  readonly features?: readonly Feature[]
}

/** What a server of this catalog answers and declares (protocol M1). */
export function tableOf(catalog: SkillCatalog, { features = [] }: FeatureOptions): MethodTable {
  const methods = new Map<string, Method>()
  for (const [name, answer] of [
    ['resources/templates/list', async () => ({ resourceTemplates: [] })],
    ['skills/list', catalog.list],
    ['skills/get', catalog.get],
    ['resources/list', catalog.resources],
    ['resources/read', catalog.read],
    ['resources/directory/read', catalog.readDirectory],
  ] as const)
    if (answer) methods.set(name, answer.bind(catalog))
  const extension = catalog.readDirectory ? { directoryRead: true } : {}
  const table = {
    catalog,
    methods,
    capabilities: { resources: {}, extensions: { [SKILLS_EXTENSION]: extension } },
  }
  for (const feature of features) feature(table)
  return table
}

/** A result as its era knows it: with hints in the modern one, without in the legacy one (protocol M5). */
export function withHints(result: object, { cacheHints }: SkillCatalog, isModern: boolean): object {
  return isModern ? { ...cacheHints, ...result } : withoutHints(result)
}

/** A result as the legacy era knows it (protocol M5). */
export function withoutHints(result: object): object {
  const { ttlMs, cacheScope, ...rest } = result as Partial<CacheHints>
  return rest
}
