import type { MaybePromise } from '../source.ts'
import type { Authenticate } from './authenticate.ts'
import { challenge } from './authenticate.ts'
import { METADATA, metadataPath } from './metadata.ts'

/** What a token says of its holder, in the form that the official SDKs give it. */
export interface TokenInfo {
  readonly token: string
  readonly clientId: string
  readonly scopes: readonly string[]
  /** Seconds since 1970. */
  readonly expiresAt?: number
  readonly [field: string]: unknown
}

export interface BearerOptions {
  /** Verifies a token: what it says, or `undefined` if it is not good (any more). */
  readonly verify: (token: string, request: Request) => MaybePromise<TokenInfo | undefined>
  /** Scopes that every caller needs; without them the answer is 403 `insufficient_scope`. */
  readonly requiredScopes?: readonly string[]
  /**
   * Protected resource metadata (RFC 9728): `{ authorization_servers: ['https://login.example'] }`. It
   * is served at `/.well-known/oauth-protected-resource` and the path of the server, and named in
   * `WWW-Authenticate`. `resource` is the URL of the server unless given.
   */
  readonly resourceMetadata?: Readonly<Record<string, unknown>>
}

/**
 * Bearer tokens, for `authenticate` of `guard` and `withSkills`. A token that has expired, or a `verify`
 * that throws, lets nobody in.
 *
 * @example
 * guard(serveSkills(skills, info), {
 *   authenticate: bearerAuth({
 *     verify: (token) => verifyJwt(token),
 *     requiredScopes: ['skills'],
 *     resourceMetadata: { authorization_servers: ['https://login.example'] },
 *   }),
 * })
 */
export function bearerAuth({ verify, requiredScopes = [], resourceMetadata }: BearerOptions): Authenticate {
  return async (request) => {
    const { origin, pathname } = new URL(request.url)
    const isMetadata = pathname === METADATA || pathname.startsWith(`${METADATA}/`)
    if (resourceMetadata && request.method === 'GET' && isMetadata)
      return Response.json({ resource: origin + pathname.slice(METADATA.length), ...resourceMetadata })

    function refusal(status: number, error?: string): Response {
      return challenge(
        status,
        [
          error && `error="${error}"`,
          requiredScopes.length && `scope="${requiredScopes.join(' ')}"`,
          resourceMetadata && `resource_metadata="${origin}${metadataPath(pathname)}"`,
        ]
          .filter(Boolean)
          .join(', '),
      )
    }

    const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
    // To bring no token is no error, to bring a wrong one is (RFC 6750, 3.1).
    if (!token) return refusal(401)
    const info = await verify(token, request)
    // What is no number is no time that is still to come, and a text would include part of a scope.
    const isGood = info && (info.expiresAt ?? Infinity) * 1000 >= Date.now()
    if (!isGood) return refusal(401, 'invalid_token')
    const held: unknown = info.scopes
    if (!requiredScopes.every((scope) => Array.isArray(held) && held.includes(scope)))
      return refusal(403, 'insufficient_scope')
    return info
  }
}
