/** The JSON-RPC codes that answers about skills use. */
export const INVALID_PARAMS = -32602
export const METHOD_NOT_FOUND = -32601

/**
 * An answer that is an error. The official SDKs and the adapters here put `code`, `message` and
 * `data` of what is thrown on the wire, so no adapter has to translate it.
 */
export class ProtocolError extends Error {
  /** A JSON-RPC error code: -32602 for what is not served here, -32601 for an unknown method. */
  declare readonly code: number
  /** The HTTP status of the answer. Most errors are answers like others, and so 200. */
  declare readonly status: number
  declare readonly data: unknown

  constructor(code: number, message: string, status = 200, data?: unknown) {
    super(message)
    Object.assign(this, { code, status, data })
  }
}

/** Throws a `ProtocolError`. */
export function refuse(code: number, message: string, status?: number, data?: unknown): never {
  throw new ProtocolError(code, message, status, data)
}

/** Throws what answers a URI at which nothing is served, or what is no URI or no cursor at all. */
export function notFound(value: unknown): never {
  refuse(INVALID_PARAMS, `Not found: ${typeof value === 'object' ? '' : value}`)
}
