/**
 * Serves skills through a server of `fastmcp`, over stdio or HTTP with sessions, without importing it.
 * `fastmcp/edge` is a fetch handler: put `withSkills` of `@embed-skills/runtime/fetch` around it.
 *
 * @example
 * import { FastMCP } from 'fastmcp'
 * import { attachSkills } from '@embed-skills/runtime/fastmcp'
 * import skills from 'virtual:skills'
 *
 * const server = new FastMCP({ name: 'acme', version: '1.0.0' })
 * attachSkills(server, skills)
 *
 * @module
 */
import type { CatalogOptions, Skills } from './catalog.ts'
import type { LowLevelServer } from './mcp/attach.ts'
import type { FeatureOptions } from './methods.ts'
import { addHandlers } from './mcp/attach.ts'
import { tableOf } from './methods.ts'
import { verifiedCatalog } from './verified.ts'

/** As much of `FastMCP` as is needed. */
export interface FastMcpServer {
  // What FastMCP says of its listeners depends on the event's name in a way that no other type matches.
  on(event: 'connect', listener: (event: any) => void): unknown
}

/** As much of the v1 `Server` of a session as is needed. */
interface SessionServer extends LowLevelServer {
  /** Private. A connected server declares what stands here, and lets nobody register more. */
  _capabilities: Record<string, any>
}

/**
 * Adds skills to every session of a server of `fastmcp`. Not with `stateless: true`: such a server tells
 * nobody of its sessions.
 *
 * @throws TypeError for access rules: `fastmcp` does not say who calls. Behind a server of your own that sets
 *   `request.auth`, say `verified: true`.
 */
export function attachSkills(
  server: FastMcpServer,
  skills: Skills,
  options: CatalogOptions & FeatureOptions = {},
): void {
  // Its handlers are not told who calls, whatever `authenticate` of the server has found out.
  const table = tableOf(verifiedCatalog(skills, { verified: false, ...options }), options)
  server.on('connect', ({ session }) => {
    const inner = session.server as SessionServer
    const own = inner._capabilities
    const extensions = { ...own['extensions'], ...table.capabilities['extensions'] }
    inner._capabilities = { ...table.capabilities, ...own, extensions }
    addHandlers(inner, table)
  })
}
