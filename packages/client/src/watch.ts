/* oxlint-disable unicorn/prefer-add-event-listener -- a transport is no EventTarget: it has one `onmessage`. */
import type { Client, Transport } from '@modelcontextprotocol/client'

const LIST_CHANGED = 'notifications/resources/list_changed'

/**
 * Calls `changed` whenever the server says that its resources are others now, until what is given back
 * is called. Handlers that the app set on its client stay as they are.
 */
export function watchListing(client: Client, changed: () => void): () => void {
  const { transport } = client
  if (!transport) return () => {}
  const stops = [observe(transport, changed), listen(client, changed)]
  return () => {
    for (const stop of stops) stop()
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

/** From revision 2026-07-28 on, a server speaks of changes only where it was asked to. */
function listen(client: Client, changed: () => void): () => void {
  const announced = client.getServerCapabilities()?.resources?.listChanged
  const listening = client.autoOpenedSubscription?.honoredFilter.resourcesListChanged
  if (!announced || listening || client.getProtocolEra?.() !== 'modern') return () => {}
  const abort = new AbortController()
  const subscription = client.listen({ resourcesListChanged: true }, { signal: abort.signal })
  subscription
    // What changed while nobody listened is unknown.
    .then(({ closed }) => closed.then((cause) => cause !== 'local' && !abort.signal.aborted && changed()))
    // A server that refuses is asked again when its listing expires.
    .catch(() => {})
  return () => {
    abort.abort(new Error('The server was removed'))
  }
}
