/**
 * An MCP server that serves skills and nothing else, without an SDK: a `fetch` handler for Cloudflare
 * Workers, Deno, Bun, Node or a service worker. And what goes around a fetch handler: `guard` checks
 * what HTTP brings along, `withSkills` adds skills to another server.
 *
 * @example
 * import { serveSkills } from '@embed-skills/runtime/fetch'
 * import skills from 'virtual:skills'
 *
 * export default serveSkills(skills, { name: 'acme', version: '1.0.0' })
 *
 * @module
 */
export type { Authenticate } from './fetch/authenticate.ts'
export type { BearerOptions, TokenInfo } from './fetch/bearer.ts'
export type { GuardOptions } from './fetch/guard.ts'
export type { FetchHandler, HandlerExtra } from './fetch/handler.ts'
export type { ServeOptions, ServerInfo, SkillServer } from './fetch/serve.ts'
export type { WithSkillsOptions } from './fetch/with-skills.ts'
export { bearerAuth } from './fetch/bearer.ts'
export { guard } from './fetch/guard.ts'
export { LOCAL_HOSTS } from './fetch/origin.ts'
export { serveSkills } from './fetch/serve.ts'
export { withSkills } from './fetch/with-skills.ts'
