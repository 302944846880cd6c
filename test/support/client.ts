/** The official client, and what it cannot show: what is on the wire. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect } from 'vitest'
import type { Era } from './servers.ts'
import { info } from './servers.ts'

export interface Connection extends AsyncDisposable {
  readonly client: Client
  /** The result of any method. A JSON-RPC error is thrown. */
  request(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>
}

type Transport = Parameters<Client['connect']>[0]

/** Connects over HTTP, and makes sure that the era is the one that was asked for. */
export function connect(url: string, era: Era): Promise<Connection> {
  return connectOver(new StreamableHTTPClientTransport(new URL(url)), era)
}

/** Connects over any transport. */
export async function connectOver(transport: Transport, era: Era): Promise<Connection> {
  const client = new Client(info, { versionNegotiation: { mode: era === 'modern' ? 'auto' : 'legacy' } })
  await client.connect(transport)
  expect(client.getNegotiatedProtocolVersion()).toBe(era === 'modern' ? '2026-07-28' : '2025-11-25')
  return {
    client,
    request: async (method, params = {}) =>
      (await client.request({ method, params }, ANYTHING)) as Record<string, unknown>,
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** A Standard Schema that lets every result through as it is. */
const ANYTHING = {
  '~standard': {
    version: 1 as const,
    vendor: 'test',
    validate: (value: unknown) => ({ value }),
  },
}

export interface Answer {
  readonly status: number
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string }
}

/** Posts one request as a careful client of its era would, and gives the answer as it came. */
export async function post(
  url: string,
  era: Era,
  method: string,
  params: Record<string, unknown> = {},
  fetch: (request: Request) => Promise<Response> = globalThis.fetch,
): Promise<Answer> {
  const version = era === 'modern' ? '2026-07-28' : '2025-11-25'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': info,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const response = await fetch(
    new Request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': version,
        'mcp-method': method,
        ...(typeof params['uri'] === 'string' && { 'mcp-name': params['uri'] }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: era === 'modern' ? { ...params, _meta } : params,
      }),
    }),
  )
  const text = await response.text()
  // A regular expression would end the line at U+2028 as well.
  const event = text
    .split('\n')
    .find((line) => line.startsWith('data: {'))
    ?.slice('data: '.length)
  const { result, error } = JSON.parse(event ?? text) as Omit<Answer, 'status'>
  return { status: response.status, ...(result && { result }), ...(error && { error }) }
}
