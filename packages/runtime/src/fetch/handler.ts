import type { MaybePromise } from '../source.ts'

/** What a handler is told beside the request, as `createMcpHandler` of the official SDK takes it. */
export interface HandlerExtra {
  /** The caller, as somebody in front of the handler verified it. */
  readonly authInfo?: unknown
}

type Fetch = (request: Request, ...rest: any[]) => MaybePromise<Response>

/**
 * A `fetch` function, or what has one: `serveSkills`, `createMcpHandler`, a Worker, a Hono app. What
 * the platform hands over beside the request (`env`, `ctx`) is passed on.
 */
export type FetchHandler = Fetch | { readonly fetch: Fetch }

/** Calls a handler with a request, and with the caller if somebody verified one. */
export async function callHandler(
  handler: FetchHandler,
  request: Request,
  [first, ...rest]: readonly unknown[],
  authInfo: unknown,
): Promise<Response> {
  const extra = authInfo === undefined ? first : { ...(first as object), authInfo }
  return typeof handler === 'function'
    ? handler(request, extra, ...rest)
    : handler.fetch(request, extra, ...rest)
}
