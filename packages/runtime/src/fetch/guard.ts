import type { Authenticate } from './authenticate.ts'
import type { FetchHandler } from './handler.ts'
import type { OriginOptions } from './origin.ts'
import { ProtocolError, refuse } from '../errors.ts'
import { accepts } from './accept.ts'
import { challenge } from './authenticate.ts'
import { bytesOf } from './body.ts'
import { checkBatch } from './era.ts'
import { callHandler } from './handler.ts'
import { rpcError } from './message.ts'
import { METADATA } from './metadata.ts'
import { refusedOrigin } from './origin.ts'

export interface GuardOptions extends OriginOptions {
  /** Verifies the caller. Without it everybody is let in. Nobody gets 401. */
  readonly authenticate?: Authenticate
  /** The path of the server, `/mcp`. Any by default, but for `/.well-known/`. All others are 404. */
  readonly path?: string
  /** The largest body taken, in bytes: 4 MiB by default. */
  readonly maxBodyBytes?: number
  /** Told of every request refused here, and of what a handler throws. */
  readonly logger?: Pick<Console, 'warn' | 'error'>
  /** Told of every request and its answer, for metrics and logs. Bodies must be left alone. */
  readonly onRequest?: (request: Request, response: Response) => void
}

const WELL_KNOWN = '/.well-known/'
const JSON_TYPE = 'application/json'
const SSE_TYPE = 'text/event-stream'

/** What browsers may send and see, in the two headers that say so. */
const SENT =
  'Authorization, Content-Type, Mcp-Method, Mcp-Name, MCP-Protocol-Version, Mcp-Session-Id, Last-Event-ID'
const SHOWN = 'WWW-Authenticate, Mcp-Session-Id'

/**
 * Puts the checks that HTTP asks for in front of an MCP server: path, `Host`, `Origin`, CORS, tokens,
 * media types and the size of bodies. An answer comes as JSON or as an event stream, whichever the client
 * takes. It suits `serveSkills` and every other fetch handler, such as `createMcpHandler`.
 *
 * @example
 * export default guard(serveSkills(skills, info), {
 *   path: '/mcp',
 *   allowedOrigins: ['https://app.example'],
 * })
 */
export function guard(
  handler: FetchHandler,
  options: GuardOptions = {},
): { readonly fetch: (request: Request, ...rest: unknown[]) => Promise<Response> } {
  const { path, maxBodyBytes = 2 ** 22, authenticate, logger, onRequest } = options

  /** The answer, or a thrown refusal. */
  async function answer(request: Request, rest: readonly unknown[]): Promise<Response> {
    const { method } = request
    const { pathname } = new URL(request.url)
    if (method === 'OPTIONS') return new Response(null, { status: 204 })
    const isOurs = path ? pathname === path : !pathname.startsWith(WELL_KNOWN)
    // Whoever authenticates may have metadata to show, beside the path of the server.
    const isAsked = !path || path === (pathname.replace(METADATA, '') || '/')
    const caller = isAsked && (await authenticate?.(request))
    if (caller instanceof Response && (isOurs || caller.ok)) return caller
    if (!isOurs) refuse(-32000, 'Not found', 404)
    if (authenticate && !caller) return challenge(401)

    const [first, ...others] = rest
    const extra = caller === undefined ? rest : [{ ...(first as object), authInfo: caller }, ...others]
    const headers = new Headers(request.headers)
    // It was judged here, and a handler may know less.
    headers.delete('origin')
    if (method !== 'POST') return callHandler(handler, new Request(request, { headers }), extra)
    const accept = headers.get('accept')
    const takesJson = accepts(accept, JSON_TYPE)
    const takesEvents = accepts(accept, SSE_TYPE)
    if (typeOf(headers) !== JSON_TYPE) refuse(-32000, `Content-Type must be ${JSON_TYPE}`, 415)
    if (!takesJson && !takesEvents) refuse(-32000, 'Invalid Accept', 406)
    // A length that is declared is not waited for.
    const isLarge = Number(headers.get('content-length')) > maxBodyBytes
    const body =
      (isLarge ? undefined : await bytesOf(request, maxBodyBytes)) ??
      refuse(-32000, `The body exceeds ${maxBodyBytes} bytes`, 413)
    const parsed = parse(new TextDecoder().decode(body))
    if (Array.isArray(parsed)) checkBatch(parsed, headers)
    // Some handlers refuse whoever does not take both, and send either.
    headers.set('accept', `${JSON_TYPE}, ${SSE_TYPE}`)
    const checked = new Request(request, { method: 'POST', headers, body })
    const response = await callHandler(handler, checked, extra)
    const type = response.status === 200 && typeOf(response.headers)
    if (type === JSON_TYPE && !takesJson) {
      // No line of an event may end within it, and in JSON one ends between its parts alone.
      const json = (await response.text()).replace(/[\r\n]/g, '')
      return as(SSE_TYPE, response, `event: message\ndata: ${json}\n\n`)
    }
    if (type === SSE_TYPE && !takesEvents) {
      const answers = answersIn(await response.text())
      return as(JSON_TYPE, response, Array.isArray(parsed) ? `[${answers}]` : answers[0]!)
    }
    return response
  }

  return {
    async fetch(request, ...rest) {
      const wrong = refusedOrigin(request, options)
      let response: Response
      try {
        response = await (wrong ? refuse(-32000, wrong, 403) : answer(request, rest))
      } catch (error) {
        const isRefusal = error instanceof ProtocolError
        if (isRefusal) logger?.warn(`${error.status} ${error.message}`)
        else logger?.error(error)
        const known = isRefusal ? error : new ProtocolError(-32603, 'Internal error', 500)
        response = new Response(rpcError(null, known), {
          status: known.status,
          headers: { 'content-type': JSON_TYPE },
        })
      }
      const origin = request.headers.get('origin')
      if (origin && !wrong) response = withCors(response, origin)
      onRequest?.(request, response)
      return response
    },
  }
}

/** A response with another body, of another type. */
function as(type: string, response: Response, body: string): Response {
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  headers.set('content-type', type)
  return new Response(body, { headers })
}

/**
 * The responses in an event stream, without what else the server had to tell. (`$` and `.` would take U+2028
 * for the end of a line, which may stand in JSON.)
 */
function answersIn(events: string): string[] {
  const data = events.match(/((^|\r\n|[\r\n])data:[^\r\n]*)+/g) ?? []
  return data
    .map((lines) => lines.replace(/(^|[\r\n]+)data: ?/g, ''))
    .filter((text) => {
      const message = Object(parse(text))
      return message.jsonrpc && !message.method
    })
}

function withCors(response: Response, origin: string): Response {
  // A response that came from elsewhere may not let its headers be changed.
  const shown = new Response(response.body, response)
  shown.headers.append('vary', 'Origin')
  for (const [name, value] of [
    ['origin', origin],
    ['methods', 'GET, POST, DELETE'],
    ['headers', SENT],
  ] as const)
    shown.headers.set(`access-control-allow-${name}`, value)
  shown.headers.set('access-control-expose-headers', SHOWN)
  return shown
}

/** What JSON says; nothing for what is none. A body that is none is for the handler to answer. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The media type of a body, without parameters. */
function typeOf(headers: Headers): string | undefined {
  return headers.get('content-type')?.split(';')[0]!.trim().toLowerCase()
}
