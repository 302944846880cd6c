import type { CatalogOptions, Skills } from '../catalog.ts'
import type { FeatureOptions } from '../methods.ts'
import type { HandlerExtra } from './handler.ts'
import type { JsonRpcRequest } from './message.ts'
import { createCatalog } from '../catalog.ts'
import { METHOD_NOT_FOUND, ProtocolError, refuse } from '../errors.ts'
import { tableOf, withoutHints } from '../methods.ts'
import { MODERN } from '../wire.ts'
import { checkVersion, isModern, LEGACY } from './era.ts'
import { stringify } from './json.ts'
import { idOf, isMessage, isRequest, rpc, rpcError } from './message.ts'

/** Who the server says it is. */
export interface ServerInfo {
  readonly name: string
  readonly version: string
  /** The name for people. */
  readonly title?: string
}

/** How a server answers. */
export interface ServeOptions extends CatalogOptions, FeatureOptions {
  /** What the server tells a client at the start. */
  readonly instructions?: string
  /**
   * Origins of web pages that may call this server: `https://app.example`. All others are answered with
   * 403, as the protocol demands. Nothing but browsers sends an origin.
   */
  readonly allowedOrigins?: readonly string[]
  /** Told of what went wrong inside. The client learns no more than "Internal error". */
  readonly onError?: (error: unknown) => void
}

/** What a module of a Worker exports by default. */
export interface SkillServer {
  /**
   * Answers one HTTP request, whatever its path. What goes wrong is an answer as well. `extra` may be
   * `{ authInfo }`; all else that a platform hands over is ignored.
   */
  readonly fetch: (request: Request, extra?: unknown) => Promise<Response>
}

/** The most messages that one batch may hold, as in the official SDK. */
const BATCH_LIMIT = 100

/**
 * Serves skills over Streamable HTTP, in both protocol eras, without sessions. Checks the protocol's
 * headers and every message, and answers web pages with 403 unless `allowedOrigins` names their origin.
 * `guard` around it adds what a server on the open web may want: limits, CORS, tokens, a path.
 *
 * @param skills A compiled set (`import skills from 'virtual:skills'`), what `joinSkills` gives, or a
 *   catalog, which keeps its own page size and hints.
 * @throws TypeError for a compiled set whose format this runtime does not read.
 */
export function serveSkills(skills: Skills, info: ServerInfo, options: ServeOptions = {}): SkillServer {
  const { instructions, allowedOrigins, onError } = options
  const catalog = createCatalog(skills, options)
  const { methods, capabilities } = tableOf(catalog, options)
  const about = { capabilities, instructions }
  const modern = new Map(methods).set('server/discover', async () => ({
    supportedVersions: [MODERN],
    ...about,
  }))
  const modernFields = {
    ...catalog.cacheHints,
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/serverInfo': info },
  }
  methods
    .set('ping', async () => ({}))
    .set('initialize', async ({ protocolVersion }) => ({
      // The version asked for, or the newest.
      protocolVersion: LEGACY.includes(protocolVersion) ? protocolVersion : LEGACY[0],
      ...about,
      serverInfo: info,
    }))

  return {
    async fetch(request, extra) {
      const { headers, signal } = request
      let body: unknown
      let status = 200

      async function answer(
        { id, method, params = {} }: JsonRpcRequest,
        isModern?: boolean,
      ): Promise<string> {
        const handler =
          (isModern ? modern : methods).get(method) ??
          refuse(METHOD_NOT_FOUND, 'Method not found', isModern ? 404 : 200)
        const result = await handler(params, {
          request,
          signal,
          authInfo: (extra as HandlerExtra | undefined)?.authInfo,
        })
        return rpc(id, 'result', stringify(isModern ? { ...modernFields, ...result } : withoutHints(result)))
      }

      function failure(error: any, message: unknown = body): string {
        if (!(error instanceof ProtocolError)) {
          onError?.(error)
          error = new ProtocolError(-32603, 'Internal error')
        }
        status = error.status
        return rpcError(idOf(message), error)
      }

      /** The answer to the whole body, if anything in it asks for one. */
      async function answerAll(): Promise<string | undefined> {
        const origin = headers.get('origin')
        if (origin && !allowedOrigins?.includes(origin)) refuse(-32000, 'Invalid Origin', 403)
        if (request.method !== 'POST') refuse(-32000, 'POST only', 405)
        body = await request.json().catch(() => refuse(-32700, 'Invalid JSON', 400))
        if (isRequest(body)) return answer(body, isModern(body, headers))
        const messages = [body].flat()
        // What is nothing is no message either, so this takes one to a hundred of them.
        if (!messages[0] || messages[BATCH_LIMIT] || !messages.every(isMessage))
          refuse(-32600, 'Invalid request', 400)
        checkVersion(headers)
        const answers = messages
          .filter(isRequest)
          .map((message) => answer(message).catch((error) => failure(error, message)))
        return answers[0] && `[${await Promise.all(answers)}]`
      }

      const text = await answerAll().catch(failure)
      // `allow` is there for 405, and means the same on any other answer.
      const fields = { 'content-type': 'application/json', allow: 'POST' }
      return new Response(text, { status: text ? status : 202, headers: fields })
    },
  }
}
