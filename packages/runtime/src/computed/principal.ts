import type { CallerContext, RequestContext } from '../source.ts'

/**
 * Who calls, as the server verified it: the client and, where the verifier names one (`extra.sub`), the
 * user. Not the token, which is renewed in the middle of a walk.
 */
export function principalOf(context: RequestContext): string {
  const { authInfo } = context as CallerContext
  return authInfo ? JSON.stringify([authInfo.clientId ?? '', authInfo.extra?.['sub'] ?? '']) : ''
}
