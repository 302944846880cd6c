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
  const { jsonrpc, id = 0, method = '', params = {} } = Object(value) as Record<string, unknown>
  const isId = typeof id === 'string' || Number.isInteger(id)
  return jsonrpc === '2.0' && isId && typeof method === 'string' && isObject(params)
}

/** Whether a value is a message that has to be answered. */
export function isRequest(value: unknown): value is JsonRpcRequest {
  return isMessage(value) && value.method !== undefined && value.id !== undefined
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
