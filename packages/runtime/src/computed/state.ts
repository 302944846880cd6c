import type { Logger } from '../catalog.ts'
import type { RequestContext } from '../source.ts'
import type { Gate } from './gate.ts'
import { createGate } from './gate.ts'

/** What the sources that answer one request share. */
export interface RequestState {
  readonly logger: Logger
  /** Bounds the renders that run at once. */
  readonly gate: Gate
  /** What this request has computed already, by who did and what. */
  readonly memory: Map<object, Map<string, unknown>>
  /** Set where an answer lacks what another caller, or the same one later, may get. */
  isPartial: boolean
}

/** Renders that run at once in a process, unless a catalog says otherwise. */
const CONCURRENCY = 16

const shared: Gate = createGate(CONCURRENCY)
const states = new WeakMap<RequestContext, RequestState>()

/** A context of its own for one request. */
export function begin(context: RequestContext, logger: Logger, gate: Gate = shared): RequestContext {
  const own = { ...context }
  states.set(own, { logger, gate, memory: new Map(), isPartial: false })
  return own
}

/** The same request, told differently: what it has computed stays. */
export function derive(context: RequestContext, changes: Partial<RequestContext>): RequestContext {
  const derived = { ...context, ...changes }
  states.set(derived, stateOf(context))
  return derived
}

/** What belongs to a request. Without a catalog (in a test, say) it begins when it is first asked for. */
export function stateOf(context: RequestContext): RequestState {
  let state = states.get(context)
  if (!state) {
    state = { logger: console, gate: shared, memory: new Map(), isPartial: false }
    states.set(context, state)
  }
  return state
}

/**
 * What `owner` computes of `key` in this request, the first time only. A failure is remembered too.
 */
export function once<T>(context: RequestContext, owner: object, compute: () => T, key = ''): T {
  const { memory } = stateOf(context)
  const own = memory.get(owner) ?? new Map<string, unknown>()
  memory.set(owner, own)
  if (!own.has(key)) own.set(key, compute())
  return own.get(key) as T
}
