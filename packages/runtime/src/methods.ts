import type { Params, SkillCatalog } from './catalog.ts'
import type { RequestContext } from './source.ts'
import type { CacheHints } from './wire.ts'
import { SKILLS_EXTENSION } from './wire.ts'

export type Method = (params: Params, context: RequestContext) => Promise<object>

/** The methods that a server of this catalog answers, by name. */
export function methodsOf(catalog: SkillCatalog): Map<string, Method> {
  const methods = new Map<string, Method>([
    ['resources/templates/list', async () => ({ resourceTemplates: [] })],
  ])
  for (const [name, answer] of [
    ['skills/list', 'list'],
    ['skills/get', 'get'],
    ['resources/list', 'resources'],
    ['resources/read', 'read'],
    ['resources/directory/read', 'readDirectory'],
  ] as const)
    if (catalog[answer]) methods.set(name, (params, context) => catalog[answer]!(params, context))
  return methods
}

/** What a server that serves this catalog declares (protocol M1). */
export function capabilitiesOf({ readDirectory }: SkillCatalog): {
  resources: object
  extensions: Record<string, object>
} {
  return { resources: {}, extensions: { [SKILLS_EXTENSION]: readDirectory ? { directoryRead: true } : {} } }
}

/** A result as the legacy era knows it (protocol M5). */
export function withoutHints(result: object): object {
  const { ttlMs, cacheScope, ...rest } = result as Partial<CacheHints>
  return rest
}
