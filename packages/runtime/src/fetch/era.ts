import type { JsonRpcRequest } from './message.ts'
import { INVALID_PARAMS, refuse } from '../errors.ts'
import { MODERN } from '../wire.ts'
import { isMessage, isObject } from './message.ts'

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
  const meta = Object(params?.['_meta']) as Record<string, unknown>
  const version = meta[VERSION] as string
  const namesModern = headers.get(HEADER)! >= MODERN
  const wrong = typeof version !== 'string' ? VERSION : !isObject(meta[CAPABILITIES]) && CAPABILITIES

  function agree(header: string, body: unknown): void {
    const value = headers.get(header)
    if (value !== body && (!value || value !== base64Header(body))) refuse(-32020, `Invalid ${header}`, 400)
  }
  if (method === 'initialize' && (wrong || version < MODERN)) {
    if (namesModern) agree(HEADER, method)
    return false
  }
  if (!namesModern && !(VERSION in meta)) {
    checkVersion(headers)
    return false
  }
  if (wrong) refuse(INVALID_PARAMS, `Invalid ${wrong}`, 400)
  agree(HEADER, version)
  if (version !== MODERN) refuse(-32022, UNSUPPORTED, 400, { supported: [MODERN], requested: version })
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

/**
 * Refuses batches that no revision of the protocol knows: with requests of the modern era, under its
 * header, or with `initialize` beside something else.
 *
 * @throws ProtocolError with status 400.
 */
export function checkBatch(batch: readonly any[], headers: Headers): void {
  for (const message of batch)
    if (VERSION in Object(message?.params?._meta) || (message?.method === 'initialize' && batch[1]))
      refuse(-32600, 'Invalid request', 400)
  if (
    batch[0] &&
    batch[0].method !== 'initialize' &&
    batch.every(isMessage) &&
    headers.get(HEADER)! >= MODERN
  )
    refuse(-32000, UNSUPPORTED, 400)
}

/** The other way to write a header value: `=?base64?<base64>?=` of its UTF-8. */
function base64Header(value: unknown): string {
  const bytes = new TextEncoder().encode(value as string)
  // One by one: no call takes as many arguments as a URI may have bytes.
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}?=`
}
