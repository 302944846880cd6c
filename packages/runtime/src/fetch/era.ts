import type { JsonRpcRequest } from './message.ts'
import { INVALID_PARAMS, refuse } from '../errors.ts'
import { MODERN } from '../wire.ts'
import { isObject } from './message.ts'

/** Revisions that are negotiated by `initialize`, the newest first. */
export const LEGACY: readonly unknown[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const HEADER = 'mcp-protocol-version'
const UNSUPPORTED = 'Unsupported version'

/**
 * Whether a request belongs to the modern era (2026-07-28). The body decides, and the headers have to
 * agree with it, as the official `createMcpHandler` sees it.
 *
 * @throws ProtocolError with status 400: -32602 for the envelope, -32020 for the headers, -32022 for
 *   the version of a modern request, -32000 for that of a legacy one.
 */
export function isModern({ method, params }: JsonRpcRequest, headers: Headers): boolean {
  const claimed = params?.['_meta']
  const meta = isObject(claimed) ? claimed : {}
  const version = meta[VERSION] as string
  const namesModern = headers.get(HEADER)! >= MODERN
  const wrong = typeof version !== 'string' ? VERSION : !isObject(meta[CAPABILITIES]) && CAPABILITIES

  function agree(header: string, body: unknown): void {
    const value = headers.get(header)
    if (value !== body && value !== base64Header(body)) refuse(-32020, `Invalid ${header} header`, 400)
  }
  if (method === 'initialize' && (wrong || version < MODERN)) {
    if (namesModern) agree(HEADER, method)
    return false
  }
  if (!namesModern && !(VERSION in meta)) {
    checkVersion(headers)
    return false
  }
  if (wrong) refuse(INVALID_PARAMS, `Invalid _meta: ${wrong}`, 400)
  if (version !== MODERN) refuse(-32022, UNSUPPORTED, 400, { supported: [MODERN], requested: version })
  agree(HEADER, version)
  agree('mcp-method', method)
  // A URI that is missing is a matter of the params.
  if (method === 'resources/read' && typeof params?.['uri'] === 'string') agree('mcp-name', params['uri'])
  return true
}

/** Refuses a version that nobody knows. None means 2025-03-26. */
export function checkVersion(headers: Headers): void {
  const version = headers.get(HEADER) ?? MODERN
  if (version !== MODERN && !LEGACY.includes(version)) refuse(-32000, UNSUPPORTED, 400)
}

/** The other way to write a header value: `=?base64?<base64>?=` of its UTF-8. */
function base64Header(value: unknown): string {
  return `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode(value as string)))}?=`
}
