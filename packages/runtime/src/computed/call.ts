import type { CallerContext, MaybePromise, RequestContext } from '../source.ts'
import { ProtocolError, refuse } from '../errors.ts'
import { derive, stateOf } from './state.ts'

/** Milliseconds that code of the app may take to answer, unless it says otherwise. */
export const TIMEOUT_MS = 30_000

/**
 * Calls code of the app. It gets a context whose signal is aborted when the client goes away or the
 * time is over, and whatever it throws is logged: the client gets a bare -32603, even if the app threw a
 * `ProtocolError`, so that no code or message tells one failure from another.
 */
export async function callApp<T>(
  context: RequestContext,
  what: string,
  job: (context: CallerContext) => MaybePromise<T>,
  timeoutMs: number = TIMEOUT_MS,
): Promise<T> {
  const { signal } = context
  const controller = new AbortController()
  const abort = (): void => controller.abort(signal!.reason)
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    signal?.throwIfAborted()
    signal?.addEventListener('abort', abort, { once: true })
    if (timeoutMs !== Infinity)
      timer = setTimeout(() => controller.abort(new Error(`No answer in ${timeoutMs} ms`)), timeoutMs)
    const stopped = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error))
    })
    return await Promise.race([job(derive(context, { signal: controller.signal }) as CallerContext), stopped])
  } catch (error) {
    // Nobody has to mend that a client went away.
    if (!signal?.aborted) stateOf(context).logger.error(`embed-skills: ${what} failed`, error)
    return fail()
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** Logs what is wrong with an answer of the app, and fails the request without a word about it. */
export function malformed(context: RequestContext, message: string, cause?: unknown): never {
  stateOf(context).logger.error(`embed-skills: ${message}`, ...(cause === undefined ? [] : [cause]))
  return fail()
}

/** What every method of a catalog throws: our own refusals as they are, anything else without its details. */
export function asProtocolError(context: RequestContext, error: unknown): never {
  if (error instanceof ProtocolError) throw error
  // A render that waited in line, say: as above, nobody has to mend that.
  if (context.signal?.aborted) return fail()
  return malformed(context, 'an unexpected error', error)
}

function fail(): never {
  refuse(-32603, 'Internal error')
}
