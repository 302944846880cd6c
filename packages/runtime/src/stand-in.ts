import type { Params } from './catalog.ts'
import type { Page } from './compose.ts'
import type { MethodTable } from './methods.ts'
import type { RequestContext } from './source.ts'
import type { JsonRpcRequest } from './fetch/message.ts'
import { isSkillUri, joined, marked, ownPage } from './compose.ts'
import { METHOD_NOT_FOUND, ProtocolError } from './errors.ts'
import { withHints } from './methods.ts'
import { MODERN } from './wire.ts'

/** A JSON-RPC response, as another server gave it. */
export interface InnerResponse {
  readonly id: unknown
  readonly result?: any
  readonly error?: { readonly code: number }
}

/**
 * The result that stands in for the answer of another server, if any does: its own completed, or ours
 * where it has none.
 *
 * @param contextOf Gives the context of an answer, or nothing for a caller who may not have one; it is
 *   told whether the other server has a result of its own.
 */
export async function standIn(
  { method, params: given }: JsonRpcRequest,
  { result, error }: InnerResponse,
  { catalog, methods, capabilities }: MethodTable,
  contextOf: (hasResult: boolean) => RequestContext | undefined,
): Promise<object | undefined> {
  const params = Object(given) as Params
  const ours = methods.get(method)
  if (!ours) return result?.capabilities && declared(result, capabilities)
  // A server that lists skills itself lists them all.
  const isList = method.endsWith('/list') && method !== 'skills/list'
  const code = error?.code
  const page = isList && ownPage(params)
  const isUnknown = code === METHOD_NOT_FOUND
  // How servers say that there is no such resource.
  const isNotThere = [METHOD_NOT_FOUND, -32602, -32002].includes(code!)
  const owns = method === 'resources/read' ? isSkillRead : ours.owns
  const isOurs =
    page ||
    isUnknown ||
    (isList ? result && !result.nextCursor : owns && (result ? result.isError : isNotThere))
  const context = isOurs && contextOf(!!result && !page)
  if (!context || (owns && !isUnknown && !(await owns(params, context)))) return undefined

  const meta = Object(params['_meta']) as Record<string, string>
  const isModern = meta['io.modelcontextprotocol/protocolVersion']! >= MODERN
  const asked: Params = page || (isList && result ? {} : params)
  const own = withHints(await ours(asked, context), catalog, isModern) as Page
  const answer = page ? marked(own) : isList && result ? joined(result as Page, own) : own
  return { ...(isModern && { resultType: 'complete' }), ...answer }
}

function isSkillRead({ uri }: Params): boolean {
  return isSkillUri(uri)
}

/** The first result of a server, with what we declare as well. */
function declared(result: any, ours: Readonly<Record<string, any>>): object {
  const { capabilities } = result
  const extensions = { ...capabilities.extensions, ...ours['extensions'] }
  return { ...result, capabilities: { ...ours, ...capabilities, extensions } }
}

/**
 * The response to send where another server, in the same process, gave `inner`: that one, or ours in
 * its place.
 */
export async function reply<T>(
  request: JsonRpcRequest,
  inner: T,
  table: MethodTable,
  context: RequestContext,
): Promise<T> {
  const { id } = request
  try {
    const result = await standIn(request, Object(inner) as InnerResponse, table, () => context)
    return result ? ({ jsonrpc: '2.0', id, result } as T) : inner
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    const { code, message, data } = error
    return { jsonrpc: '2.0', id, error: { code, message, data } } as T
  }
}
