import { notFound } from './errors.ts'
import { canonicalUri } from './uri.ts'

/** The canonical spelling of a URI that a client sent. Throws -32602 for what is none of ours. */
export function requestedUri(uri: unknown): string {
  return canonicalUri(uri) || notFound(uri)
}

/**
 * The URI that a cursor names, '' without one. A cursor is the last URI seen, not an offset, so that
 * a walk survives a deploy (protocol M9). Throws -32602 for what is no cursor of ours.
 */
export function afterCursor(cursor: unknown): string {
  return cursor === undefined ? '' : requestedUri(cursor)
}
