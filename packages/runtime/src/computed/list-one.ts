import type { Page, RequestContext } from '../source.ts'
import type { Skill } from '../wire.ts'
import { ProtocolError } from '../errors.ts'
import { stateOf } from './state.ts'

/** A page on which there is nothing, and after which neither. */
export const NOTHING: Page<never> = { items: [], more: false }

/** A listing of one skill, or of none where there is none for this caller or it failed (feature P11). */
export async function listOne(
  get: (context: RequestContext) => Promise<Skill | undefined>,
  context: RequestContext,
): Promise<Page<Skill>> {
  const skill = await get(context).catch((error: unknown) => {
    // It was logged where it happened.
    if (!(error instanceof ProtocolError)) throw error
    return undefined
  })
  if (!skill) stateOf(context).isPartial = true
  return skill ? { items: [skill], more: false } : NOTHING
}
