/**
 * An MCP server that serves skills and nothing else, without an SDK: a `fetch` handler for Cloudflare
 * Workers, Deno, Bun, Node or a service worker.
 *
 * @example
 * import { serveSkills } from '@embed-skills/runtime/fetch'
 * import skills from 'virtual:skills'
 *
 * export default serveSkills(skills, { name: 'acme', version: '1.0.0' })
 *
 * @module
 */
import type { CatalogOptions, Skills } from './catalog.ts'
import type { JsonRpcRequest } from './fetch/message.ts'
import { createCatalog } from './catalog.ts'
import { METHOD_NOT_FOUND, ProtocolError, refuse } from './errors.ts'
import { checkVersion, isModern, LEGACY } from './fetch/era.ts'
import { stringify } from './fetch/json.ts'
import { isMessage, isRequest } from './fetch/message.ts'
import { capabilitiesOf, methodsOf, withoutHints } from './methods.ts'
import { MODERN } from './wire.ts'

/** Who the server says it is. */
export interface ServerInfo {
  readonly name: string
  readonly version: string
  /** The name for people. */
  readonly title?: string
}

/** How a server answers. */
export interface ServeOptions extends CatalogOptions {
  /** What the server tells a client at the start. */
  readonly instructions?: string
  /** Told of what went wrong inside. The client learns no more than "Internal error". */
  readonly onError?: (error: unknown) => void
}

/** What a module of a Worker exports by default. */
export interface SkillServer {
  /** Answers one HTTP request, whatever its path. What goes wrong is an answer as well. */
  readonly fetch: (request: Request) => Promise<Response>
}

/** The most messages that one batch may hold, as in the official SDK. */
const BATCH_LIMIT = 100

/**
 * Serves skills over Streamable HTTP, in both protocol eras, without sessions. Checks the protocol's
 * headers and every message, and answers a web page on another origin with 403; who calls, `Host` and
 * the size of a body are left to what stands in front of it.
 *
 * @param skills A compiled set (`import skills from 'virtual:skills'`), what `joinSkills` gives, or a
 *   catalog, which keeps its own page size and hints.
 * @throws TypeError for a compiled set whose format this runtime does not read.
 */
export function serveSkills(skills: Skills, info: ServerInfo, options: ServeOptions = {}): SkillServer {
  const { instructions, onError } = options
  const catalog = createCatalog(skills, options)
  const about = { capabilities: capabilitiesOf(catalog), ...(instructions && { instructions }) }
  const modern = methodsOf(catalog).set('server/discover', async () => ({
    supportedVersions: [MODERN],
    ...about,
  }))
  const modernFields = {
    ...catalog.cacheHints,
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/serverInfo': info },
  }
  const legacy = methodsOf(catalog)
    .set('ping', async () => ({}))
    .set('initialize', async ({ protocolVersion }) => ({
      // The version asked for, or the newest.
      protocolVersion: LEGACY.includes(protocolVersion) ? protocolVersion : LEGACY[0],
      ...about,
      serverInfo: info,
    }))

  /** The JSON-RPC answer to one request. */
  async function answer(
    { id, method, params }: JsonRpcRequest,
    request: Request,
    isModern: boolean,
  ): Promise<string> {
    const handler = (isModern ? modern : legacy).get(method)
    if (!handler) return refuse(METHOD_NOT_FOUND, 'Method not found', isModern ? 404 : 200)
    const result = await handler(params ?? {}, { request, signal: request.signal })
    return rpc(id, 'result', stringify(isModern ? { ...modernFields, ...result } : withoutHints(result)))
  }

  function failure(error: unknown, message: unknown): string {
    const known = error instanceof ProtocolError
    if (!known) onError?.(error)
    const { code = -32603, message: text = 'Internal error', data } = known ? error : {}
    const id = isRequest(message) ? message.id : null
    return rpc(id, 'error', JSON.stringify({ code, message: text, data }))
  }

  /** The answer to a whole body, if anything in it asks for one. */
  function answerBody(body: unknown, request: Request): Promise<string> | undefined {
    if (isRequest(body)) return answer(body, request, isModern(body, request.headers))
    const messages: readonly unknown[] = Array.isArray(body) ? body : [body]
    if (!messages[0] || messages.length > BATCH_LIMIT || !messages.every(isMessage))
      refuse(-32600, 'Invalid request', 400)
    checkVersion(request.headers)
    const answers = messages
      .filter(isRequest)
      .map((message) => answer(message, request, false).catch((error) => failure(error, message)))
    return answers[0] && Promise.all(answers).then((texts) => `[${texts}]`)
  }

  return {
    async fetch(request) {
      const { headers, method } = request
      let body: unknown
      try {
        const origin = headers.get('origin')
        if (origin && origin !== new URL(request.url).origin) refuse(-32000, 'Invalid Origin', 403)
        if (method !== 'POST') refuse(-32000, 'POST only', 405)
        body = await request.json().catch(() => refuse(-32700, 'Invalid JSON', 400))
        const text = await answerBody(body, request)
        return respond(text ? 200 : 202, text)
      } catch (error) {
        return respond((error as Partial<ProtocolError>).status ?? 200, failure(error, body))
      }
    },
  }
}

function rpc(id: unknown, key: string, json: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"${key}":${json}}`
}

function respond(status: number, body?: string): Response {
  const headers: HeadersInit = { 'content-type': 'application/json' }
  if (status === 405) headers['allow'] = 'POST'
  return new Response(body, { status, headers })
}
