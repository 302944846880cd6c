import { INVALID_PARAMS, refuse } from './errors.ts'
import { canonicalUri } from './uri.ts'

/**
 * The URI that a cursor names, '' without one. A cursor is the last URI seen, not an offset, so that
 * a walk survives a deploy (protocol M9). Throws -32602 for what is no cursor of ours.
 */
export function afterCursor(cursor: unknown = ''): string {
  if (cursor !== '' && canonicalUri(cursor) !== cursor) refuse(INVALID_PARAMS, 'Invalid cursor')
  return cursor as string
}
