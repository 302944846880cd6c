import { serveSkills } from '@embed-skills/runtime/fetch'
import { attachSkills } from '@embed-skills/runtime/mcp'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { demoSkills } from '../support/demo.ts'
import { importSkills } from '../support/modules.ts'
import { info } from '../support/servers.ts'

/*
 * A server without an SDK answers as the official one does (protocol, "Base protocol"): the same status, the same
 * code. Where the two differ on purpose, the case says so.
 */
const compiled = await importSkills(await demoSkills())
const ours = serveSkills(compiled, info)
const official = createMcpHandler(() => {
  const server = new Server(info)
  attachSkills(server, compiled)
  return server
})

const MODERN = '2026-07-28'
const URI = 'skill://code-review/SKILL.md'
const envelope = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': info,
  'io.modelcontextprotocol/clientCapabilities': {},
}

interface Case {
  readonly verb?: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

function modern(method: string, params: object = {}, headers: Record<string, string> = {}): Case {
  return {
    headers: { 'mcp-protocol-version': MODERN, 'mcp-method': method, ...headers },
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } },
  }
}

function legacy(method: string, params: unknown = {}, headers: Record<string, string> = {}): Case {
  return {
    headers: { 'mcp-protocol-version': '2025-11-25', ...headers },
    body: { jsonrpc: '2.0', id: 1, method, params },
  }
}

function without(header: string, { headers, ...rest }: Case): Case {
  return { ...rest, headers: Object.fromEntries(Object.entries(headers!).filter(([key]) => key !== header)) }
}

const read = modern('resources/read', { uri: URI }, { 'mcp-name': URI })
const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`

const cases: Record<string, Case> = {
  'modern list': modern('skills/list'),
  'modern discover': modern('server/discover'),
  'modern get': modern('skills/get', { uri: URI }),
  'modern get of nothing': modern('skills/get', { uri: 'skill://x/SKILL.md' }),
  'modern get without params': modern('skills/get'),
  'modern read': read,
  'modern read, name in base64': modern('resources/read', { uri: URI }, { 'mcp-name': base64(URI) }),
  'modern read, base64 of another': modern('resources/read', { uri: URI }, { 'mcp-name': base64('x') }),
  'modern read, bad base64': modern('resources/read', { uri: URI }, { 'mcp-name': '=?base64?%%%?=' }),
  'modern read without a name': without('mcp-name', read),
  'modern read, another name': modern('resources/read', { uri: URI }, { 'mcp-name': 'skill://x' }),
  'modern read of a number': modern('resources/read', { uri: 7 }),
  'modern read of nothing': modern('resources/read', {}),
  'modern templates': modern('resources/templates/list'),
  'modern unknown method': modern('nobody/knows'),
  'modern ping': modern('ping'),
  'modern without its version header': without('mcp-protocol-version', modern('skills/list')),
  'modern without its method header': without('mcp-method', modern('skills/list')),
  'modern, another method header': modern('skills/list', {}, { 'mcp-method': 'skills/get' }),
  'modern, another version header': modern('skills/list', {}, { 'mcp-protocol-version': '2025-11-25' }),
  'modern, a version of the future': {
    headers: { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'skills/list' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'skills/list',
      params: { _meta: { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } },
    },
  },
  'modern header without an envelope': {
    headers: { 'mcp-protocol-version': MODERN, 'mcp-method': 'skills/list' },
    body: { jsonrpc: '2.0', id: 1, method: 'skills/list', params: {} },
  },
  'modern envelope without capabilities': {
    headers: { 'mcp-protocol-version': MODERN, 'mcp-method': 'skills/list' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'skills/list',
      params: { _meta: { 'io.modelcontextprotocol/protocolVersion': MODERN } },
    },
  },
  'legacy list': legacy('skills/list'),
  'legacy list without params': {
    headers: { 'mcp-protocol-version': '2025-11-25' },
    body: { jsonrpc: '2.0', id: 1, method: 'skills/list' },
  },
  'legacy ping': legacy('ping'),
  'legacy get': legacy('skills/get', { uri: URI }),
  'legacy read of nothing': legacy('resources/read', { uri: 'skill://x/SKILL.md' }),
  'legacy unknown method': legacy('nobody/knows'),
  'legacy, a version that nobody knows': legacy('skills/list', {}, { 'mcp-protocol-version': '1999-01-01' }),
  'legacy without a version header': without('mcp-protocol-version', legacy('skills/list')),
  'legacy initialize': legacy('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: info,
  }),
  'legacy notification': {
    headers: { 'mcp-protocol-version': '2025-11-25' },
    body: { jsonrpc: '2.0', method: 'notifications/initialized' },
  },
  'legacy response': {
    headers: { 'mcp-protocol-version': '2025-11-25' },
    body: { jsonrpc: '2.0', id: 1, result: {} },
  },
  'legacy batch': {
    body: [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'skills/get', params: { uri: URI } },
    ],
  },
  'an empty batch': { body: [] },
  'a null id': { body: { jsonrpc: '2.0', id: null, method: 'ping' } },
  'another JSON-RPC': { body: { jsonrpc: '1.0', id: 1, method: 'ping' } },
  'no object': { body: 7 },
  GET: { verb: 'GET' },
  DELETE: { verb: 'DELETE' },
}

async function outcome(
  server: { fetch(request: Request): Promise<Response> },
  { verb = 'POST', headers, body }: Case,
): Promise<string[]> {
  const response = await server.fetch(
    new Request('http://localhost/', {
      method: verb,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  const events = text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => line.slice('data: '.length))
  const answers = (events.length ? events : text ? [text] : []).flatMap(
    (json) => JSON.parse(json) as object | object[],
  ) as { result?: object; error?: { code: number } }[]
  return [`${response.status}`, ...answers.map(({ error }) => (error ? `${error.code}` : 'a result'))]
}

test.each(Object.entries(cases))('%s', async (_, request) => {
  expect(await outcome(ours, request)).toEqual(await outcome(official, request))
})
