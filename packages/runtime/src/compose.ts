import type { Params } from './catalog.ts'
import type { CacheHints } from './wire.ts'

/** A page of a listing: items under a key that depends on the method. */
export type Page = Partial<CacheHints> & { readonly nextCursor?: string; readonly [key: string]: unknown }

/** The params of our own listing, if its cursor, marked as ours, leads there. */
export function ownPage(params: Params): Params | null {
  const { cursor } = params
  return typeof cursor === 'string' && cursor.startsWith('skill:')
    ? { ...params, cursor: cursor.slice(6) }
    : null
}

/** Our page as part of a larger listing. */
export function marked(own: Page): Page {
  return own.nextCursor ? { ...own, nextCursor: 'skill:' + own.nextCursor } : own
}

/** The last page of an app's listing with our first one after it (feature N13). */
export function joined(page: Page, own: Page): Page {
  const all: Record<string, unknown> = { ...page, ...marked(own) }
  for (const [key, value] of Object.entries(own))
    if (Array.isArray(value)) all[key] = [...((page[key] as unknown[]) ?? []), ...value]
  if ('ttlMs' in own) {
    all['ttlMs'] = Math.min(page.ttlMs ?? 0, own.ttlMs!)
    if (page.cacheScope !== 'public') all['cacheScope'] = 'private'
  }
  return all as Page
}

/** Whether a read is ours: of the URI of a skill, or of what is no URI at all, which nobody has. */
export function isSkillUri(uri: unknown): boolean {
  return typeof uri !== 'string' || /^skill:/i.test(uri)
}
