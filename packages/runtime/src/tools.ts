/**
 * Skills for hosts that do not know the Skills extension: as tools, as prompts, by the convention of
 * older clients, and as plain resources.
 *
 * @example
 * import { skillTools } from '@embed-skills/runtime/tools'
 * import skills from 'virtual:skills'
 *
 * const server = new McpServer({ name: 'acme', version: '1.0.0' })
 * skillTools(server, skills)
 *
 * @module
 */
import type { CatalogOptions, Skills } from './catalog.ts'
import type { ToolOptions } from './features/tools.ts'
import type { SdkServer } from './mcp/attach.ts'
import { tools } from './features/tools.ts'
import { attachTable } from './mcp/attach.ts'
import { verifiedCatalog } from './verified.ts'

export type { ToolOptions } from './features/tools.ts'
export { listing } from './features/listing.ts'
export { manifests } from './features/manifests.ts'
export { prompts } from './features/prompts.ts'
export { tools } from './features/tools.ts'

/**
 * Adds `load_skill` and `read_skill_file` to a server of the official SDK, beside its own tools. Call it
 * before the server connects. With `attachSkills` on the same server, they are withheld from clients
 * that know the extension.
 *
 * @throws Error if the server is connected already, or is none of the SDK's.
 */
export function skillTools(
  server: SdkServer,
  skills: Skills,
  options: CatalogOptions & ToolOptions = {},
): void {
  const table = { catalog: verifiedCatalog(skills, options), methods: new Map(), capabilities: {} }
  tools(options)(table)
  attachTable(server, table)
}
