import type { MaybePromise, Page, RequestContext } from '../source.ts'
import type { Skill } from '../wire.ts'
import { ProtocolError } from '../errors.ts'
import { mapBounded } from './gate.ts'
import { stateOf } from './state.ts'

interface Listing<T> {
  /** Up to `limit` items after a URI, in order: fewer only where there are no more. */
  fetch(after: string, limit: number): MaybePromise<Page<T>>
  /** The entry that is shown for an item, if any. */
  keep(item: T): MaybePromise<Skill | undefined>
}

/**
 * Up to `limit` entries after a URI, of items of which some may not be shown. Pages are filled all the
 * same, and `more` is said of what is shown: neither may tell what was left out. One entry that fails is
 * left out, and so is not a whole listing (feature P11).
 */
export async function fill<T extends { readonly uri: string }>(
  after: string,
  limit: number,
  context: RequestContext,
  { fetch, keep }: Listing<T>,
): Promise<Page<Skill>> {
  const shown: Skill[] = []
  let more = true
  // One beyond the page tells whether there is another.
  while (more && shown.length <= limit) {
    context.signal?.throwIfAborted()
    const page = await fetch(after, limit + 1 - shown.length)
    const kept = await mapBounded(page.items, async (item) => {
      try {
        return await keep(item)
      } catch (error) {
        // It was logged where it happened.
        if (!(error instanceof ProtocolError)) throw error
        stateOf(context).isPartial = true
        return undefined
      }
    })
    for (const skill of kept) if (skill) shown.push(skill)
    more = page.more && page.items.length > 0
    after = page.items.at(-1)?.uri ?? after
  }
  return { items: shown.slice(0, limit), more: shown.length > limit }
}
