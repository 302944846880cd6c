import type { MaybePromise } from '../source.ts'

/**
 * Verifies the caller of a request: gives what is known of them (`authInfo`, in the form that the SDKs
 * give it), `undefined` for nobody, or a response to send instead. `bearerAuth` makes one, and
 * `requireBearerAuth` of the official SDK another.
 */
export type Authenticate = (request: Request) => MaybePromise<unknown>

/** A refusal that says how to get in (RFC 6750). */
export function challenge(status: number, fields = ''): Response {
  return Response.json(
    { error: status === 403 ? 'insufficient_scope' : 'unauthorized' },
    { status, headers: { 'www-authenticate': `Bearer ${fields}`.trim() } },
  )
}
