/**
 * Serves skills through a server of `mcp-lite`, without importing it.
 *
 * @example
 * import { McpServer, StreamableHttpTransport } from 'mcp-lite'
 * import { skillsMiddleware } from '@embed-skills/runtime/mcp-lite'
 * import skills from 'virtual:skills'
 *
 * const server = new McpServer({ name: 'acme', version: '1.0.0' }).use(skillsMiddleware(skills))
 *
 * @module
 */
import type { CatalogOptions, Skills } from './catalog.ts'
import type { FeatureOptions } from './methods.ts'
import { tableOf } from './methods.ts'
import { reply } from './stand-in.ts'
import { verifiedCatalog } from './verified.ts'

/** As much of the context of a middleware of `mcp-lite` as is needed. */
export interface LiteContext {
  readonly request: any
  readonly authInfo?: unknown
  readonly session?: { readonly id: string } | undefined
  response: any
}

/** Middleware of `mcp-lite` that adds skills to its server: the server answers first. */
export function skillsMiddleware(
  skills: Skills,
  options: CatalogOptions & FeatureOptions = {},
): (context: LiteContext, next: () => Promise<void> | void) => Promise<void> {
  const table = tableOf(verifiedCatalog(skills, options), options)
  return async (context, next) => {
    const { request, authInfo, session } = context
    let thrown: unknown
    try {
      await next()
    } catch (error) {
      // An unknown resource is thrown, with its JSON-RPC code.
      thrown = error
    }
    const response: unknown = thrown ? { error: thrown } : context.response
    const answer = await reply(request, response, table, { authInfo, sessionId: session?.id })
    if (thrown && answer === response) throw thrown
    context.response = answer
  }
}
