import { expect, test } from 'vitest'
import type { JsonRpcRequest } from './message.ts'
import { checkVersion, isModern } from './era.ts'

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'skills/list' }

function request(method: string, params?: object): JsonRpcRequest {
  return { jsonrpc: '2.0', id: 1, method, ...(params && { params: params as Record<string, unknown> }) }
}

function refusal(message: JsonRpcRequest, headers: Record<string, string>): unknown {
  try {
    return isModern(message, new Headers(headers))
  } catch (error) {
    const { code, status } = error as { code: number; status: number }
    return { code, status }
  }
}

test('the body decides: with the envelope it is modern, without it legacy', () => {
  expect(refusal(request('skills/list', { _meta: META }), HEADERS)).toBe(true)
  expect(refusal(request('skills/list'), {})).toBe(false)
  expect(refusal(request('skills/list', { _meta: { other: 1 } }), {})).toBe(false)
  expect(refusal(request('initialize', { protocolVersion: '2025-11-25' }), {})).toBe(false)
})

test.each([
  ['no version header', { 'mcp-method': 'skills/list' }],
  ['another version header', { ...HEADERS, 'mcp-protocol-version': '2025-11-25' }],
  ['no method header', { 'mcp-protocol-version': '2026-07-28' }],
  ['another method header', { ...HEADERS, 'mcp-method': 'skills/get' }],
])('%s: the headers have to agree with the body (-32020)', (_, headers) => {
  expect(refusal(request('skills/list', { _meta: META }), headers)).toEqual({ code: -32020, status: 400 })
})

test.each([
  ['the URI itself', 'skill://a/ok', true],
  ['its base64', '=?base64?c2tpbGw6Ly9hL29r?=', true],
  ['another', 'skill://b', { code: -32020, status: 400 }],
  ['base64 of another', '=?base64?YQ==?=', { code: -32020, status: 400 }],
  ['what is no base64', '=?base64?%%%?=', { code: -32020, status: 400 }],
])('Mcp-Name of a read is %s', (_, name, expected) => {
  const headers = { ...HEADERS, 'mcp-method': 'resources/read', 'mcp-name': name }
  expect(refusal(request('resources/read', { uri: 'skill://a/ok', _meta: META }), headers)).toEqual(expected)
})

test('a URI beyond ASCII is named in base64', () => {
  const name = `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode('skill://a/ü')))}?=`
  const headers = { ...HEADERS, 'mcp-method': 'resources/read', 'mcp-name': name }
  expect(refusal(request('resources/read', { uri: 'skill://a/ü', _meta: META }), headers)).toBe(true)
})

test.each([undefined, 7, null])('a URI that is %j is left to the method', (uri) => {
  const headers = { ...HEADERS, 'mcp-method': 'resources/read' }
  expect(refusal(request('resources/read', { uri, _meta: META }), headers)).toBe(true)
})

test('an envelope without its fields is -32602, and of another version -32022', () => {
  const [version, capabilities] = Object.keys(META)
  const some = (key: string, value: unknown): object => ({ _meta: { ...META, [key]: value } })
  expect(refusal(request('skills/list'), HEADERS)).toEqual({ code: -32602, status: 400 })
  expect(refusal(request('skills/list', some(version!, 7)), HEADERS)).toEqual({ code: -32602, status: 400 })
  expect(refusal(request('skills/list', some(capabilities!, [])), HEADERS)).toEqual({
    code: -32602,
    status: 400,
  })
  expect(refusal(request('skills/list', some(version!, '2099-01-01')), HEADERS)).toEqual({
    code: -32022,
    status: 400,
  })
})

test('a version header that nobody knows is refused, none is taken for 2025-03-26', () => {
  expect(() => checkVersion(new Headers())).not.toThrow()
  expect(() => checkVersion(new Headers({ 'mcp-protocol-version': '2025-06-18' }))).not.toThrow()
  expect(() => checkVersion(new Headers({ 'mcp-protocol-version': '1999-01-01' }))).toThrow(
    expect.objectContaining({ code: -32000, status: 400 }),
  )
})
