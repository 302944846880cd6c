import type { Params } from '../catalog.ts'
import type { Page } from '../compose.ts'
import type { Method, MethodTable } from '../methods.ts'
import type { RequestContext } from '../source.ts'
import { isSkillUri, joined, marked, ownPage } from '../compose.ts'
import { withHints } from '../methods.ts'
import { MODERN } from '../wire.ts'

/** An `McpServer` or a `Server` of `@modelcontextprotocol/server` (v2) or `@modelcontextprotocol/sdk` (v1). */
export type SdkServer = object

interface Request {
  readonly method: string
  readonly params?: Params | undefined
}

type Handler = (request: Request, context: SdkContext) => Promise<object>

/** What both SDKs hand to a handler, in the places where either keeps it. */
interface SdkContext {
  readonly signal?: AbortSignal
  readonly authInfo?: unknown
  readonly mcpReq?: { readonly signal: AbortSignal }
  readonly http?: { readonly authInfo?: unknown; readonly req?: globalThis.Request }
}

export interface LowLevelServer {
  readonly transport?: unknown
  registerCapabilities(capabilities: object): void
  getClientCapabilities(): object | undefined
  /** Private in both SDKs; there is no public way to ask for a handler that is already there. */
  readonly _requestHandlers: ReadonlyMap<string, Handler>
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

interface ServerV1 extends LowLevelServer {
  setRequestHandler(schema: object, handler: Handler): void
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
  const target = server as ServerV1 | ServerV2
  const inner = target._requestHandlers
  if (methods.has('skills/get') && inner.has('skills/get')) refuse('attached twice')
  for (const [method, answer] of methods) {
    const own: Handler = async ({ params = {} }, context) =>
      withHints(await answer(params, contextOf(context, target)), catalog, isModern(target))
    const handler = composed(target, method, answer, own, inner.get(method))
    if ('getNegotiatedProtocolVersion' in target)
      target.setRequestHandler(method, { params: ANYTHING }, (params, context) =>
        handler({ method, params }, context),
      )
    else target.setRequestHandler(literalSchema(method), handler)
  }
}

export function refuse(reason: string): never {
  throw new Error(`attachSkills: ${reason}`)
}

/** A handler for ours and for what the app answers itself, if it does. */
function composed(
  target: ServerV1 | ServerV2,
  method: string,
  { owns }: Method,
  own: Handler,
  inner?: Handler,
): Handler {
  if (!inner) return own
  return async (request, context) => {
    const { params = {} } = request
    // `skill://` is ours alone.
    const isOurs =
      method === 'resources/read' ? isSkillUri(params.uri) : owns?.(params, contextOf(context, target))
    if (isOurs !== undefined) return ((await isOurs) ? own : inner)(request, context)
    const page = ownPage(params)
    if (page) return marked((await own({ method, params: page }, context)) as Page)
    // The SDK adds the app's own hints later on, to results that have none.
    const hints = isModern(target) && target._cacheHints?.[method]
    const last = { ...hints, ...(await inner(request, context)) } as Page
    return last.nextCursor ? last : joined(last, (await own({ method }, context)) as Page)
  }
}

function isModern(server: ServerV1 | ServerV2): boolean {
  // Undefined, of v1 or before a version is agreed on, compares as false.
  const version = (server as Partial<ServerV2>).getNegotiatedProtocolVersion?.() as string
  return version >= MODERN
}

function contextOf({ signal, authInfo, mcpReq, http }: SdkContext, server: LowLevelServer): RequestContext {
  return {
    signal: mcpReq?.signal ?? signal,
    authInfo: http?.authInfo ?? authInfo,
    request: http?.req,
    clientCapabilities: server.getClientCapabilities(),
  }
}

/** A Standard Schema that lets all params through: the methods check their own. v2 wants one. */
const ANYTHING = {
  '~standard': { version: 1, vendor: 'skills', validate: (value: unknown) => ({ value }) },
}

/** As much of a Zod object schema as v1 asks of one. */
function literalSchema(method: string): object {
  return {
    shape: { method: { value: method } },
    parse: (data: unknown) => data,
    safeParse: (data: unknown) => ({ success: true, data }),
  }
}
