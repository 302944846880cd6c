import type { ProtocolError } from '../errors.ts'

/** A JSON-RPC message: a request, a notification without `id`, or a response without `method`. */
export interface Message {
  readonly jsonrpc: '2.0'
  readonly id?: string | number
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
}

export interface JsonRpcRequest extends Message {
  readonly id: string | number
  readonly method: string
}

/** Whether a value of a parsed body is a message. A null id makes it none. */
export function isMessage(value: unknown): value is Message {
  const { jsonrpc, id = 0, method, params = {}, result, error = result } = Object(value) as JsonRpc
  return jsonrpc === '2.0' && isId(id) && isObject(typeof method === 'string' ? params : error)
}

/** Whether a value is a message that has to be answered. */
export function isRequest(value: unknown): value is JsonRpcRequest {
  return isMessage(value) && idOf(value) !== null
}

/** The id under which to answer a value, right or wrong. */
export function idOf(value: unknown): unknown {
  const { id, method } = Object(value) as JsonRpc
  return isId(id) && typeof method === 'string' ? id : null
}

type JsonRpc = Record<string, unknown>

function isId(id: unknown): boolean {
  return typeof id === 'string' || Number.isInteger(id)
}

/** A response, of the JSON of its result or error. */
export function rpc(id: unknown, key: 'result' | 'error', json: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"${key}":${json}}`
}

/** The response for an error. */
export function rpcError(id: unknown, { code, message, data }: ProtocolError): string {
  return rpc(id, 'error', JSON.stringify({ code, message, data }))
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return Object(value) === value && !Array.isArray(value)
}
