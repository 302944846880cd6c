/**
 * Serves skills through a server of `tmcp`, without importing it.
 *
 * @example
 * import { McpServer } from 'tmcp'
 * import { attachSkills } from '@embed-skills/runtime/tmcp'
 * import skills from 'virtual:skills'
 *
 * const server = new McpServer({ name: 'acme', version: '1.0.0' }, { capabilities: {} })
 * attachSkills(server, skills)
 *
 * @module
 */
import type { CatalogOptions, Skills } from './catalog.ts'
import type { FeatureOptions } from './methods.ts'
import { tableOf } from './methods.ts'
import { reply } from './stand-in.ts'
import { verifiedCatalog } from './verified.ts'

/** As much of an `McpServer` of `tmcp` as is needed. */
export interface TmcpServer {
  receive(message: any, context?: any): any
  hasMethod(method: string): boolean
}

/**
 * Adds skills to a server of `tmcp`. Its own resources are listed ahead of the skills, and what it
 * answers stands but for methods and skills that it does not know.
 */
export function attachSkills(
  server: TmcpServer,
  skills: Skills,
  options: CatalogOptions & FeatureOptions = {},
): void {
  const table = tableOf(verifiedCatalog(skills, options), options)
  const receive = server.receive.bind(server)
  const hasMethod = server.hasMethod.bind(server)
  server.receive = async (message, context) => {
    const response = await receive(message, context)
    return reply(message, response, table, {
      authInfo: context?.auth,
      sessionId: context?.sessionId,
      signal: context?.signal,
      clientCapabilities: context?.sessionInfo?.clientCapabilities,
    })
  }
  server.hasMethod = (method) => table.methods.has(method) || hasMethod(method)
}
