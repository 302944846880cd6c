import type { Params } from '../catalog.ts'
import type { Page } from '../compose.ts'
import type { MethodTable } from '../methods.ts'
import type { RequestContext } from '../source.ts'
import { isSkillUri, joined, marked, ownPage } from '../compose.ts'
import { withHints } from '../methods.ts'
import { MODERN } from '../wire.ts'

/** An `McpServer` or a `Server` of `@modelcontextprotocol/server` (v2) or `@modelcontextprotocol/sdk` (v1). */
export type SdkServer = object

interface Request {
  readonly params?: Params | undefined
}

type Handler = (request: Request, context: SdkContext) => Promise<object>

/** What both SDKs hand to a handler, in the places where either keeps it. */
interface SdkContext {
  readonly signal?: AbortSignal
  readonly authInfo?: unknown
  readonly sessionId?: string
  readonly mcpReq?: { readonly signal: AbortSignal }
  readonly http?: { readonly authInfo?: unknown; readonly req?: globalThis.Request }
}

export interface LowLevelServer {
  readonly transport?: unknown
  registerCapabilities(capabilities: object): void
  getClientCapabilities(): object | undefined
  /** Private in both SDKs; there is no public way to ask for a handler that is already there. */
  readonly _requestHandlers: Map<string, Handler>
  /** In v2 alone. */
  getNegotiatedProtocolVersion?(): string | undefined
  /** Private in v2: what the app configured for the results of a method. */
  readonly _cacheHints?: Readonly<Record<string, object>>
}

type Register = (...args: unknown[]) => unknown

/** What an `McpServer` of either SDK has on top, privately: what the app registered. */
export interface HighLevelServer {
  readonly server?: LowLevelServer
  readonly _registeredResources?: Readonly<Record<string, { readonly resourceTemplate?: unknown }>>
  readonly _registeredResourceTemplates?: Readonly<Record<string, { readonly resourceTemplate?: unknown }>>
  registerResource?: Register | undefined
  /** In v1 alone. */
  resource?: Register | undefined
  readonly [setUp: `set${string}`]: (() => void) | undefined
}

/**
 * Adds a table of methods to a server: beside those that the app answers itself, or together with it.
 *
 * @throws Error if the server is connected already, serves skills already, or is none of the SDK's.
 */
export function attachTable(server: SdkServer, table: MethodTable): void {
  const target = ((server as HighLevelServer).server ?? server) as LowLevelServer
  if (!target._requestHandlers) refuse('no server of the official SDK')
  if (target.transport) refuse('call it before it connects')
  // McpServer adds its handlers of a kind with the first thing of that kind, and will not replace any
  // that are there by then. Asked to do so now, it takes things before and after this call.
  for (const kind of Object.keys(table.capabilities))
    // All but that for completions are called handlers.
    for (const end of ['', 's'])
      (server as HighLevelServer)[`set${kind[0]!.toUpperCase() + kind.slice(1, -1)}RequestHandler${end}`]?.()
  target.registerCapabilities(table.capabilities)
  addHandlers(target, table)
}

/**
 * Adds the handlers alone, to a low-level server. They go where the server keeps them: v1 would ask for
 * schemas of Zod, and v2 would check again what the methods check themselves.
 */
export function addHandlers(target: LowLevelServer, { catalog, methods }: MethodTable): void {
  const handlers = target._requestHandlers
  if (methods.has('skills/get') && handlers.has('skills/get')) refuse('it has skills already')
  for (const [method, answer] of methods) {
    const inner = handlers.get(method)
    handlers.set(method, async (request, context) => {
      const { params = {} } = request
      const known = contextOf(context, target)
      // Undefined, of v1 or before a version is agreed on, compares as false.
      const isModern = (target.getNegotiatedProtocolVersion?.() as string) >= MODERN
      const own = async (asked: Params): Promise<Page> =>
        withHints(await answer(asked, known), catalog, isModern) as Page

      if (!inner) return own(params)
      // `skill://` is ours alone, and so is what is no text: the SDKs would call it an internal error.
      const isOurs = method === 'resources/read' ? isSkillUri(params.uri) : answer.owns?.(params, known)
      if (isOurs !== undefined) return (await isOurs) ? own(params) : inner(request, context)
      const page = ownPage(params)
      if (page) return marked(await own(page))
      // The SDK adds the app's own hints later on, to results that have none.
      const hints = isModern && target._cacheHints?.[method]
      const last = { ...hints, ...(await inner(request, context)) } as Page
      return last.nextCursor ? last : joined(last, await own({}))
    })
  }
}

export function refuse(reason: string): never {
  throw new Error(`attachSkills: ${reason}`)
}

function contextOf(context: SdkContext, server: LowLevelServer): RequestContext {
  const known = { ...context, ...context.mcpReq, ...context.http }
  return { ...known, request: known.req, clientCapabilities: server.getClientCapabilities() }
}
