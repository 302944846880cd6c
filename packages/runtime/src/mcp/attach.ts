import type { Params } from '../catalog.ts'
import type { Page } from '../compose.ts'
import type { Method, MethodTable } from '../methods.ts'
import type { RequestContext } from '../source.ts'
import { isSkillUri, joined, marked, ownPage } from '../compose.ts'
import { withHints } from '../methods.ts'
import { MODERN } from '../wire.ts'

/** An `McpServer` or a `Server` of `@modelcontextprotocol/server` (v2) or `@modelcontextprotocol/sdk` (v1). */
export type SdkServer = object

/** A request; ours are called without its method. */
interface Request {
  readonly method?: string
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
  /** Private in v2: what the app configured for the results of a method. */
  readonly _cacheHints?: Readonly<Record<string, object>>
}

/** What an `McpServer` of either SDK has on top, privately: what the app registered. */
export interface HighLevelServer {
  readonly server?: LowLevelServer
  readonly _registeredResources?: Readonly<Record<string, object>>
  readonly _registeredResourceTemplates?: Readonly<Record<string, object>>
  readonly [setUp: `set${string}`]: (() => void) | undefined
}

interface ServerV2 extends LowLevelServer {
  setRequestHandler(
    method: string,
    schemas: { params: object },
    handler: (params: Params, context: SdkContext) => Promise<object>,
  ): void
  getNegotiatedProtocolVersion(): string | undefined
}

/**
 * Adds a table of methods to a server: beside those that the app answers itself, or together with it.
 *
 * @throws Error if the server is connected already, serves skills already, or is none of the SDK's.
 */
export function attachTable(server: SdkServer, table: MethodTable): void {
  const target = ((server as HighLevelServer).server ?? server) as LowLevelServer
  if (!target._requestHandlers) refuse('no SDK server')
  if (target.transport) refuse('connected')
  // McpServer adds its handlers of a kind with the first thing of that kind, and will not replace any
  // that are there by then. Asked to do so now, it takes things before and after this call.
  for (const kind of Object.keys(table.capabilities))
    (server as HighLevelServer)[`set${kind[0]!.toUpperCase()}${kind.slice(1, -1)}RequestHandlers`]?.()
  target.registerCapabilities(table.capabilities)
  addHandlers(target, table)
}

/** Adds the handlers alone, to a low-level server. */
export function addHandlers(server: LowLevelServer, { catalog, methods }: MethodTable): void {
  const target = server as LowLevelServer & Partial<ServerV2>
  const inner = target._requestHandlers
  if (methods.has('skills/get') && inner.has('skills/get')) refuse('attached twice')
  for (const [method, answer] of methods) {
    const own: Handler = async ({ params = {} }, context) =>
      withHints(await answer(params, contextOf(context, target)), catalog, isModern(target))
    const handler = composed(target, method, answer, own, inner.get(method))
    if (target.getNegotiatedProtocolVersion)
      target.setRequestHandler!(method, { params: ANYTHING }, (params, context) =>
        handler({ method, params }, context),
      )
    // v1 wants a schema of Zod for what it keeps here. The methods check their own params.
    else inner.set(method, handler)
  }
}

export function refuse(reason: string): never {
  throw new Error(`attachSkills: ${reason}`)
}

/** A handler for ours and for what the app answers itself, if it does. */
function composed(
  target: LowLevelServer,
  method: string,
  { owns }: Method,
  own: Handler,
  inner?: Handler,
): Handler {
  if (!inner) return own
  return async (request, context) => {
    const { params = {} } = request
    // `skill://` is ours alone, and so is what is no URI: the SDKs would call it an internal error.
    const isOurs =
      method === 'resources/read'
        ? typeof params.uri !== 'string' || isSkillUri(params.uri)
        : owns?.(params, contextOf(context, target))
    if (isOurs !== undefined) return ((await isOurs) ? own : inner)(request, context)
    const page = ownPage(params)
    if (page) return marked((await own({ params: page }, context)) as Page)
    // The SDK adds the app's own hints later on, to results that have none.
    const hints = isModern(target) && target._cacheHints?.[method]
    const last = { ...hints, ...(await inner(request, context)) } as Page
    return last.nextCursor ? last : joined(last, (await own({}, context)) as Page)
  }
}

function isModern(server: LowLevelServer): boolean {
  // Undefined, of v1 or before a version is agreed on, compares as false.
  const version = (server as Partial<ServerV2>).getNegotiatedProtocolVersion?.() as string
  return version >= MODERN
}

function contextOf(context: SdkContext, server: LowLevelServer): RequestContext {
  const { signal, authInfo, sessionId, req } = { ...context, ...context.mcpReq, ...context.http }
  return { signal, authInfo, sessionId, request: req, clientCapabilities: server.getClientCapabilities() }
}

/** As much of a Standard Schema as v2 asks for. It lets all params through: the methods check their own. */
const ANYTHING = { '~standard': { validate: (value: unknown) => ({ value }) } }
