import type { CatalogOptions, Skills } from '../catalog.ts'
import type { FeatureOptions } from '../methods.ts'
import type { RequestContext } from '../source.ts'
import type { Authenticate } from './authenticate.ts'
import type { FetchHandler, HandlerExtra } from './handler.ts'
import type { JsonRpcRequest } from './message.ts'
import { createCatalog } from '../catalog.ts'
import { ProtocolError } from '../errors.ts'
import { tableOf } from '../methods.ts'
import { standIn } from '../stand-in.ts'
import { challenge } from './authenticate.ts'
import { bytesOf } from './body.ts'
import { rewriteEvents } from './events.ts'
import { callHandler } from './handler.ts'
import { idOf, rpc, rpcError } from './message.ts'

export type WithSkillsOptions = CatalogOptions &
  FeatureOptions & {
    /** The largest body that is looked into, in bytes: 4 MiB by default. Larger ones pass untouched. */
    readonly maxBodyBytes?: number
    /** Told of what went wrong inside. The client learns no more than "Internal error". */
    readonly onError?: (error: unknown) => void
  } & (
    | {
        /** Says that everybody may have the skills, or that somebody in front verified the caller. */
        readonly auth: 'public'
      }
    | {
        /**
         * Verifies the callers to whom skills are shown. A server that checks tokens method by method
         * answers "method not found" to anybody, so what it lets through proves nothing.
         */
        readonly authenticate: Authenticate
      }
  )

/** What may not stand on an answer that is another than the one it came with. */
const STALE = /^(content-(length|encoding|md5)|etag)$|digest/

/**
 * Adds skills to any MCP server that is a fetch handler. The server sees every request first, and what
 * it answers stands, but for "method not found" and "no such resource" where that is a skill's.
 *
 * @throws TypeError without `auth: 'public'` or `authenticate`.
 *
 * @example
 * export default withSkills(server, skills, { auth: 'public' })
 */
export function withSkills(
  handler: FetchHandler,
  skills: Skills,
  options: WithSkillsOptions,
): { readonly fetch: (request: Request, ...rest: unknown[]) => Promise<Response> } {
  const {
    auth,
    authenticate,
    maxBodyBytes = 2 ** 22,
    onError,
  } = options as Partial<Record<'auth', string> & { authenticate: Authenticate } & WithSkillsOptions>
  if (!authenticate && auth !== 'public')
    throw new TypeError("withSkills needs auth: 'public' or authenticate(request)")
  const table = tableOf(createCatalog(skills, { verified: !!authenticate, ...options }), options)

  return {
    async fetch(request, ...rest) {
      const [forwarded, text] = await copied(request, maxBodyBytes)
      // By id: a number and a string that looks like it are two.
      const watched = new Map<unknown, JsonRpcRequest>()
      for (const message of [parse(text)].flat() as JsonRpcRequest[])
        if (idOf(message) !== null && (table.methods.has(message.method) || isOpening(message)))
          watched.set(message.id, message)
      // An answer that may change has to come in the clear. Without the header, a handler that calls `fetch`
      // would ask for a compressed one by itself.
      if (watched.size) forwarded.headers.set('accept-encoding', 'identity')
      const response = await callHandler(handler, forwarded, rest)
      const { headers, body, status } = response
      // Under these a server may say that it knows no such method.
      const isAsked =
        watched.size && body && [200, 400, 404].includes(status) && !headers.has('content-encoding')
      const isMetadata = !response.ok && request.url.includes('/.well-known/')
      if (!isAsked && !isMetadata) return response

      const authInfo = authenticate
        ? (await authenticate(request)) || challenge(401)
        : (rest[0] as HandlerExtra | undefined)?.authInfo
      // Metadata is shown where the server has none, to who cannot have a token yet.
      if (isMetadata && authInfo instanceof Response && authInfo.ok) return authInfo
      if (!isAsked) return response
      const sessionId = request.headers.get('mcp-session-id') ?? undefined
      let refusal: Response | undefined
      function contextOf(hasResult: boolean): RequestContext | undefined {
        if (!(authInfo instanceof Response)) return { request, signal: request.signal, authInfo, sessionId }
        if (!hasResult) refusal = authInfo
        return undefined
      }

      /** One response with ours in its place, if there is any. */
      async function replaced(message: any): Promise<string | undefined> {
        const { id, method } = Object(message)
        const asked = !method && watched.get(id)
        try {
          const result = asked && (await standIn(asked, message, table, contextOf))
          return result ? rpc(id, 'result', JSON.stringify(result)) : undefined
        } catch (thrown) {
          const isKnown = thrown instanceof ProtocolError
          if (!isKnown) onError?.(thrown)
          return rpcError(id, isKnown ? thrown : new ProtocolError(-32603, 'Internal error'))
        }
      }

      async function rewrite(data: string): Promise<string | undefined> {
        const parsed = parse(data)
        if (!Array.isArray(parsed)) return replaced(parsed)
        const all = await Promise.all(parsed.map(replaced))
        return all.some(Boolean)
          ? `[${all.map((text, index) => text ?? JSON.stringify(parsed[index]))}]`
          : undefined
      }

      const clean = new Headers(headers)
      for (const name of headers.keys()) if (STALE.test(name)) clean.delete(name)
      const isStream = headers.get('content-type')?.startsWith('text/event-stream')
      const answer = isStream ? body.pipeThrough(rewriteEvents(rewrite)) : undefined
      // Whether somebody who may not have skills asked for them shows at the end of a stream.
      if (answer && !(authInfo instanceof Response)) return new Response(answer, { status, headers: clean })
      // Bytes, since what stands may be no text.
      const inner = await new Response(answer ?? body).arrayBuffer()
      const changed = answer ? inner : await rewrite(new TextDecoder().decode(inner))
      if (refusal && watched.size === 1) return refusal
      return changed ? new Response(changed, { headers: clean }) : new Response(inner, response)
    },
  }
}

/** Whether the result says what a server can do. */
function isOpening({ method }: JsonRpcRequest): boolean {
  return ['initialize', 'server/discover'].includes(method)
}

/** The request to hand on, and the text of its body to look into; none of what is too large for that. */
async function copied(request: Request, limit: number): Promise<[forwarded: Request, text?: string]> {
  const { method, headers } = request
  const body =
    method === 'POST' && !headers.has('content-encoding') && (await bytesOf(request.clone(), limit))
  return body ? [new Request(request, { method, body }), new TextDecoder().decode(body)] : [request]
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text!)
  } catch {
    return undefined
  }
}
