import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** How long a server may take over it, in milliseconds. */
const PATIENCE = 2000

/**
 * Tells a server that keeps sessions that this one is over, so that it need not keep it until it forgets.
 * A server that refuses, or is slow, ends nothing else: nothing is thrown.
 */
export async function endSession(transport: StreamableHTTPClientTransport): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, PATIENCE)))
  await Promise.race([transport.terminateSession().catch(() => {}), late])
  clearTimeout(timer)
}
