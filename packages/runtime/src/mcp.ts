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
import type { RequestContext } from './source.ts'
import type { CacheHints, ListResourcesResult } from './wire.ts'
import { createCatalog } from './catalog.ts'
import { isCompiled } from './compiled.ts'
import { capabilitiesOf, methodsOf, withoutHints } from './methods.ts'
import { sharedSource } from './shared.ts'
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
  /** Private in both SDKs; there is no public way to ask for a handler that is already there. */
  readonly _requestHandlers: ReadonlyMap<string, Handler>
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
  /** Private: hints by method, for results that carry none of their own. */
  readonly _cacheHints?: Readonly<Record<string, Partial<CacheHints>>>
}

/**
 * Adds skills to a server of the official SDK. Call it before the server connects; on a low-level
 * `Server`, after your own `resources/list` and `resources/read` handlers. Your own resources keep
 * working: `resources/list` shows skills after them, and reads of other URIs are yours.
 *
 * `createMcpHandler` does not check the `Origin` header, as the protocol demands: do that in front of it,
 * with `originValidationResponse` of the SDK.
 *
 * @param skills A compiled set (`import skills from 'virtual:skills'`), what `joinSkills` gives, or a
 *   catalog; `options` are those of a catalog that is made here.
 * @throws Error if the server is connected already or serves skills already.
 * @throws TypeError if it is none of the SDK's, and for a compiled set whose format this runtime does
 *   not read.
 */
export function attachSkills(server: SdkServer, skills: Skills, options: CatalogOptions = {}): void {
  const target = lowLevelServer(server)
  const catalog = createCatalog(isCompiled(skills) ? sharedSource(skills) : skills, options)
  if (target.transport) throw new Error('attachSkills must be called before the server connects')
  if (target._requestHandlers.has('skills/list')) throw new Error('This server serves skills already')

  // McpServer adds its resource handlers with its first resource, and will not replace any that are
  // there by then. Asked to do so now, it takes resources before and after this call.
  ;(server as { setResourceRequestHandlers?(): void }).setResourceRequestHandlers?.()
  const inner = new Map(target._requestHandlers)
  const ours = new Map<string, Handler>()
  for (const [method, answer] of methodsOf(catalog))
    ours.set(method, async ({ params }, context) => {
      const result = await answer(params ?? {}, contextOf(context))
      return isModern(target) ? { ...catalog.cacheHints, ...result } : withoutHints(result)
    })
  const hints = (target as ServerV2)._cacheHints?.['resources/list']
  ours.set('resources/list', composeLists(inner.get('resources/list'), ours.get('resources/list')!, hints))
  ours.set('resources/read', composeReads(inner.get('resources/read'), ours.get('resources/read')!))
  if (inner.has('resources/templates/list')) ours.delete('resources/templates/list')

  target.registerCapabilities(capabilitiesOf(catalog))
  for (const [method, handler] of ours)
    if (isV2(target))
      target.setRequestHandler(method, { params: ANYTHING }, (params, context) =>
        handler({ method, params }, context),
      )
    else target.setRequestHandler(literalSchema(method), handler)
}

function lowLevelServer(server: SdkServer): ServerV1 | ServerV2 {
  const target = ('server' in server ? server.server : server) as ServerV1 | ServerV2
  if (typeof target.setRequestHandler !== 'function' || !(target._requestHandlers instanceof Map))
    throw new TypeError(
      'attachSkills takes an McpServer or Server of the official SDK. Without one, use serveSkills of @embed-skills/runtime/fetch.',
    )
  return target
}

/** Every page of the app's own resources, with ours from its last page on. */
function composeLists(
  inner: Handler | undefined,
  ours: Handler,
  configured: Partial<CacheHints> | undefined,
): Handler {
  if (!inner) return ours
  return async (request, context) => {
    if (isSkillUri(request.params?.cursor)) return ours(request, context)
    const page = (await inner(request, context)) as ListResourcesResult
    if (page.nextCursor !== undefined) return page
    const own = (await ours({ method: request.method }, context)) as ListResourcesResult
    // What the SDK would say of its own, once the answer has left us.
    const theirs = { ttlMs: 0, ...configured, ...page }
    const { ttlMs, cacheScope = 'private' } = own
    const hints = ttlMs !== undefined && {
      // What both listings allow.
      ttlMs: Math.min(theirs.ttlMs, ttlMs),
      cacheScope: theirs.cacheScope === cacheScope ? cacheScope : 'private',
    }
    return { ...page, ...own, ...hints, resources: [...page.resources, ...own.resources] }
  }
}

/** Our URIs, and so our cursors. */
function isSkillUri(value: unknown): boolean {
  return /^skill:/i.test(value as string)
}

/** `skill://` is ours alone, and so is what is no URI: the SDKs would call it an internal error. */
function composeReads(inner: Handler | undefined, ours: Handler): Handler {
  return (request, context) => {
    const uri = request.params?.uri
    return (inner && typeof uri === 'string' && !isSkillUri(uri) ? inner : ours)(request, context)
  }
}

function isV2(server: ServerV1 | ServerV2): server is ServerV2 {
  return 'getNegotiatedProtocolVersion' in server
}

function isModern(server: ServerV1 | ServerV2): boolean {
  return isV2(server) && server.getNegotiatedProtocolVersion()! >= MODERN
}

function contextOf({ signal, authInfo, mcpReq, http }: SdkContext): RequestContext {
  return { signal: mcpReq?.signal ?? signal, authInfo: http?.authInfo ?? authInfo, request: http?.req }
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
