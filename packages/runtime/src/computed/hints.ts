import type { CacheHints } from '../wire.ts'

/** What is not said otherwise may be kept by nobody (feature A3). */
export const KEEP_NOTHING: CacheHints = { ttlMs: 0, cacheScope: 'private' }

// Beside the objects and not in them: hints travel with results, never with entries.
const known = new WeakMap<object, readonly (CacheHints | undefined)[]>()

/** Notes how long something may be kept. `undefined` among the parts stands for the catalog's own hints. */
export function withHints<T extends object>(item: T, ...parts: readonly (CacheHints | undefined)[]): T {
  known.set(item, parts)
  return item
}

/** What was noted. What nothing was noted of is static, and has the catalog's own hints. */
export function hintsOf(item: object): readonly (CacheHints | undefined)[] {
  return known.get(item) ?? [undefined]
}

/** The shortest time, and `public` only if all of it is (features N13 and P13). */
export function narrow(all: readonly (CacheHints | undefined)[], own: CacheHints): CacheHints {
  const parts = all.map((hints) => hints ?? own)
  return {
    ttlMs: Math.min(...parts.map(({ ttlMs }) => ttlMs)),
    cacheScope: parts.every(({ cacheScope }) => cacheScope === 'public') ? 'public' : 'private',
  }
}

/** Hints that were given in part: the rest is the least. */
export function completeHints({ ttlMs = 0, cacheScope = 'private' }: Partial<CacheHints>): CacheHints {
  return { ttlMs, cacheScope }
}
