/* oxlint-disable unicorn/prefer-add-event-listener -- a transport is no EventTarget: it has one `onmessage`. */
import type { Client } from '@modelcontextprotocol/client'

const LIST_CHANGED = 'notifications/resources/list_changed'

/**
 * Calls `changed` whenever the server says that its resources are others now. The messages of the
 * connection are only looked at: handlers that the app set on its client stay as they are.
 */
export function watchListing(client: Client, changed: () => void): () => void {
  const { transport } = client
  if (!transport) return () => {}
  const inner = transport.onmessage
  const observing: typeof inner = (message, extra) => {
    if ('method' in message && message.method === LIST_CHANGED) changed()
    inner?.(message, extra)
  }
  transport.onmessage = observing
  const stopListening = listen(client, changed)
  return () => {
    if (transport.onmessage === observing) transport.onmessage = inner
    stopListening()
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
    .then(({ closed }) => closed.then((cause) => cause !== 'local' && changed()))
    // A server that refuses is asked again when its listing expires.
    .catch(() => {})
  return () => {
    abort.abort(new Error('The server was removed'))
  }
}
