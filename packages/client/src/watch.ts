/* oxlint-disable unicorn/prefer-add-event-listener -- a transport is no EventTarget: it has one `onmessage`. */
import type { Client, McpSubscription, Transport } from '@modelcontextprotocol/client'

const LIST_CHANGED = 'notifications/resources/list_changed'

/**
 * Milliseconds from one subscription to the next: a server that ends each at once is not asked without end.
 */
const PAUSE = 30 * 1000

/**
 * Calls `changed` whenever the server says that its resources are others now. Handlers that the app set on its
 * client stay as they are.
 */
export class Watch {
  readonly #client: Client
  readonly #changed: () => void
  readonly #now: () => number
  readonly #end = new AbortController()
  #observed: Transport | undefined
  #leave = (): void => {}
  #isListening = false
  #notBefore = -Infinity
  /** The subscription that the app itself has opened, which is enough as long as it lasts. */
  #spent: McpSubscription | undefined

  constructor(client: Client, changed: () => void, now: () => number) {
    this.#client = client
    this.#changed = changed
    this.#now = now
  }

  /**
   * Begins, or goes on where it ended: a server may be started anew, and its client connected anew. This is for
   * each time that the server is listed, since what changes while nobody listens is unknown until then.
   */
  renew(): void {
    if (this.#end.signal.aborted) return
    const { transport } = this.#client
    if (transport !== this.#observed) {
      this.#leave()
      this.#leave = transport ? observe(transport, this.#changed) : () => {}
      this.#observed = transport
      this.#notBefore = -Infinity
    }
    if (!transport || this.#isListening || !this.#isToldOnRequest()) return
    this.#isListening = true
    // An app that throws has no one here to tell it to.
    this.#listen().catch(() => {})
  }

  stop(): void {
    this.#leave()
    this.#end.abort(new Error('The server was removed'))
  }

  /** From revision 2026-07-28 on, a server speaks of changes only where it was asked to. */
  #isToldOnRequest(): boolean {
    const announced = this.#client.getServerCapabilities()?.resources?.listChanged
    return announced === true && this.#client.getProtocolEra?.() === 'modern'
  }

  async #listen(): Promise<void> {
    // A server that refuses is asked again when it is listed again.
    const cause = await this.#untilEnd().catch(() => 'refused')
    this.#isListening = false
    // What changed while nobody listened is unknown.
    if (cause === 'remote' || cause === 'graceful') this.#changed()
  }

  async #untilEnd(): Promise<string> {
    const opened = this.#client.autoOpenedSubscription
    if (opened?.honoredFilter.resourcesListChanged && opened !== this.#spent) {
      this.#spent = opened
      return opened.closed
    }
    if (this.#now() < this.#notBefore) return 'too early'
    this.#notBefore = this.#now() + PAUSE
    const { signal } = this.#end
    return (await this.#client.listen({ resourcesListChanged: true }, { signal })).closed
  }
}

/** Who looks at the messages of a connection, and how to end looking. */
interface Observed {
  readonly watchers: Set<() => void>
  readonly end: () => void
}

/** The hosts of a connection share one place in front of its messages, so that each can leave it. */
const observed = new WeakMap<Transport, Observed>()

/** The messages of a connection are only looked at. */
function observe(transport: Transport, changed: () => void): () => void {
  const { watchers, end } = observed.get(transport) ?? intercept(transport)
  watchers.add(changed)
  return () => {
    watchers.delete(changed)
    if (!watchers.size) end()
  }
}

function intercept(transport: Transport): Observed {
  const watchers = new Set<() => void>()
  const inner = transport.onmessage
  const observing: typeof inner = (message, extra) => {
    try {
      if ('method' in message && message.method === LIST_CHANGED) tellAll([...watchers])
    } finally {
      inner?.(message, extra)
    }
  }
  transport.onmessage = observing
  const end = (): void => {
    // If something was put in front of this since, both stay, and nobody is told.
    if (transport.onmessage !== observing) return
    transport.onmessage = inner
    observed.delete(transport)
  }
  observed.set(transport, { watchers, end })
  return { watchers, end }
}

/** One that throws does not keep the others from being told. */
function tellAll([changed, ...others]: readonly (() => void)[]): void {
  if (!changed) return
  try {
    changed()
  } finally {
    tellAll(others)
  }
}
