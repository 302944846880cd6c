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
import type { CatalogOptions, Params, Skills } from './catalog.ts'
import type { Page } from './compose.ts'
import type { FeatureOptions, Method } from './methods.ts'
import type { RequestContext } from './source.ts'
import { createCatalog } from './catalog.ts'
import { isSkillUri, joined, marked, ownPage } from './compose.ts'
import { tableOf, withHints } from './methods.ts'
import { MODERN } from './wire.ts'

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

interface LowLevelServer {
  readonly transport?: unknown
  registerCapabilities(capabilities: object): void
  getClientCapabilities(): object | undefined
  /** Private in both SDKs; there is no public way to ask for a handler that is already there. */
  readonly _requestHandlers: ReadonlyMap<string, Handler>
  /** Private in v2: what the app configured for the results of a method. */
  readonly _cacheHints?: Readonly<Record<string, object>>
}

/** What an `McpServer` of either SDK has on top, privately: what the app registered. */
interface HighLevelServer {
  readonly server: LowLevelServer
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

export interface AttachOptions extends CatalogOptions, FeatureOptions {}

/**
 * Adds skills to a server of the official SDK. Call it before the server connects; on a low-level
 * `Server`, after your own handlers. Your own resources keep working: `resources/list` shows skills
 * after them, and reads of other URIs are yours.
 *
 * The SDK's HTTP handlers do not check the `Origin` header: put `guard` of `@embed-skills/runtime/fetch`
 * around them.
 *
 * @throws Error if the server is connected already, serves skills already, has a resource or a template
 *   of its own under `skill://`, or is none of the SDK's.
 */
export function attachSkills(server: SdkServer, skills: Skills, options: AttachOptions = {}): void {
  const app = server as HighLevelServer
  const target = (app.server ?? server) as ServerV1 | ServerV2
  const inner = target._requestHandlers ?? refuse('no official server')
  if (target.transport) refuse('connected already')
  if (inner.has('skills/list')) refuse('attached already')
  const registered = { ...app._registeredResources, ...app._registeredResourceTemplates }
  for (const [uri, { resourceTemplate }] of Object.entries<{ resourceTemplate?: any }>(registered))
    if (isSkillUri(resourceTemplate?.uriTemplate ?? uri)) refuse(`${uri} is registered`)

  const catalog = createCatalog(skills, options)
  const { methods, capabilities } = tableOf(catalog, options)
  // McpServer adds its handlers of a kind with the first thing of that kind, and will not replace any
  // that are there by then. Asked to do so now, it takes things before and after this call.
  for (const kind of Object.keys(capabilities)) {
    const setUp = `set${kind[0]!.toUpperCase()}${kind.slice(1, -1)}RequestHandler` as const
    app[setUp]?.()
    app[`${setUp}s`]?.()
  }
  target.registerCapabilities(capabilities)
  for (const [method, answer] of methods) {
    const own: Handler = async ({ params = {} }, context) =>
      withHints(await answer(params, contextOf(context, target)), catalog, isModern(target))
    const handler = composed(target, method, answer, own, inner.get(method))
    if (isV2(target))
      target.setRequestHandler(method, { params: ANYTHING }, (params, context) =>
        handler({ method, params }, context),
      )
    else target.setRequestHandler(literalSchema(method), handler)
  }
}

function refuse(reason: string): never {
  throw new Error(`Cannot attach skills: ${reason}`)
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
    const isOurs = method === 'resources/read' ? isSkillUri(params.uri) : owns?.(params, {})
    if (isOurs !== undefined) return ((await isOurs) ? own : inner)(request, context)
    const page = ownPage(params)
    if (page) return marked((await own({ method, params: page }, context)) as Page)
    // The SDK adds the app's own hints later on, to results that have none.
    const hints = isModern(target) && target._cacheHints?.[method]
    const last = { ...hints, ...(await inner(request, context)) } as Page
    return last.nextCursor ? last : joined(last, (await own({ method }, context)) as Page)
  }
}

function isV2(server: ServerV1 | ServerV2): server is ServerV2 {
  return 'getNegotiatedProtocolVersion' in server
}

function isModern(server: ServerV1 | ServerV2): boolean {
  return (server as Partial<ServerV2>).getNegotiatedProtocolVersion?.()! >= MODERN
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
  '~standard': { version: 1, vendor: 'embed-skills', validate: (value: unknown) => ({ value }) },
}

/** As much of a Zod object schema as v1 asks of one. */
function literalSchema(method: string): object {
  return {
    shape: { method: { value: method } },
    parse: (data: unknown) => data,
    safeParse: (data: unknown) => ({ success: true, data }),
  }
}
