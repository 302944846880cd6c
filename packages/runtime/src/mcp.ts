/**
 * Serves skills through a server of the official SDK, v2 or v1, without importing it.
 *
 * @example
 * import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
 * import { attachSkills } from '@embed-skills/runtime/mcp'
 * import skills from 'virtual:skills'
 *
 * export default createMcpHandler(() => {
 *   const server = new McpServer({ name: 'acme', version: '1.0.0' })
 *   attachSkills(server, skills)
 *   return server
 * })
 *
 * @module
 */
import type { CatalogOptions, Skills } from './catalog.ts'
import type { FeatureOptions } from './methods.ts'
import type { HighLevelServer, SdkServer } from './mcp/attach.ts'
import { isSkillUri } from './compose.ts'
import { attachTable, refuse } from './mcp/attach.ts'
import { tableOf } from './methods.ts'
import { verifiedCatalog } from './verified.ts'

export type { SdkServer } from './mcp/attach.ts'

export interface AttachOptions extends CatalogOptions, FeatureOptions {}

/**
 * Adds skills to a server of the official SDK. Call it before the server connects; on a low-level
 * `Server`, after your own handlers. Your own resources keep working: `resources/list` shows skills
 * after them, and reads of other URIs are yours.
 *
 * The SDK's HTTP handlers do not check the `Origin` header: put `guard` of `@embed-skills/runtime/fetch`
 * around them.
 *
 * @param skills A compiled set (`import skills from 'virtual:skills'`), what `joinSkills` gives, or a
 *   catalog; `options` are those of a catalog that is made here.
 * @throws Error if the server is connected already, serves skills already, has a resource or a template
 *   of its own under `skill://`, or is none of the SDK's. To register one under `skill://` later throws there.
 * @throws TypeError for a compiled set whose format this runtime does not read.
 */
export function attachSkills(server: SdkServer, skills: Skills, options: AttachOptions = {}): void {
  const app = server as HighLevelServer
  const registered = { ...app._registeredResources, ...app._registeredResourceTemplates }
  for (const [uri, { resourceTemplate = uri }] of Object.entries(registered)) refuseOwn(resourceTemplate)
  attachTable(server, tableOf(verifiedCatalog(skills, options), options))
  // What comes later could never be read, and whoever adds it should hear of that.
  for (const name of ['registerResource', 'resource'] as const) {
    const register = app[name]
    if (register)
      app[name] = (...args) => {
        refuseOwn(args[1])
        return register.apply(app, args)
      }
  }
}

/** Refuses a resource or a template of the app's where skills are. */
function refuseOwn(at: any): void {
  const uri = `${at.uriTemplate ?? at}`
  if (isSkillUri(uri)) refuse(`${uri} belongs to skills`)
}
