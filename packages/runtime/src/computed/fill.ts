import type { MaybePromise, RequestContext } from '../source.ts'
import type { Skill } from '../wire.ts'
import { ProtocolError } from '../errors.ts'
import { mapBounded } from './gate.ts'
import { stateOf } from './state.ts'

interface Page<T> {
  /** Up to `limit` items after a URI, in order: fewer only where there are no more. */
  fetch(after: string, limit: number): MaybePromise<readonly T[]>
  /** The entry that is shown for an item, if any. */
  keep(item: T): MaybePromise<Skill | undefined>
}

/**
 * Up to `limit` entries after a URI, of items of which some may not be shown. Pages are filled all the
 * same: how many there are on a page must not tell what was left out. One entry that fails is left
 * out, and so is not a whole listing (feature P11).
 */
export async function fill<T extends { readonly uri: string }>(
  after: string,
  limit: number,
  context: RequestContext,
  { fetch, keep }: Page<T>,
): Promise<Skill[]> {
  const shown: Skill[] = []
  while (true) {
    const wanted = limit - shown.length
    const items = await fetch(after, wanted)
    const kept = await mapBounded(items, async (item) => {
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
    if (items.length < wanted || shown.length === limit) return shown
    context.signal?.throwIfAborted()
    after = items.at(-1)!.uri
  }
}
