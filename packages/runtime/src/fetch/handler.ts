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

/** Calls a handler with a request, and with what the platform handed over. */
export async function callHandler(
  handler: FetchHandler,
  request: Request,
  rest: readonly unknown[],
): Promise<Response> {
  return typeof handler === 'function' ? handler(request, ...rest) : handler.fetch(request, ...rest)
}
