import type { MaybePromise } from '../source.ts'

/**
 * Verifies the caller of a request: gives what is known of them (`authInfo`, in the form that the SDKs
 * give it), `undefined` for nobody, or a response to send instead. `bearerAuth` makes one, and
 * `requireBearerAuth` of the official SDK another.
 */
export type Authenticate = (request: Request) => MaybePromise<unknown>

/** A refusal that says how to get in (RFC 6750), in the header for programs and in the body for people. */
export function challenge(status: number, fields = ''): Response {
  const text = `Bearer ${fields}`
  return Response.json(text, { status, headers: { 'www-authenticate': text } })
}
