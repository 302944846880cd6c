/** `withSkills` in front of a server that is no fetch handler, and of nobody's SDK. */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { compile } from '@embed-skills/compiler'
import { describe, expect, test } from 'vitest'
import { snippetsOf } from '../support/snippets.ts'
import { checkServer } from './matrix.ts'
import type { Running } from './start.ts'
import { start } from './start.ts'

const root = path.join(import.meta.dirname, '../../playground/worker')
const { skills } = await compile(['skills/**'], { root })
const snippet = (await snippetsOf('servers')).find(({ kind }) => kind === 'proxy')

/** What it answers to the methods that it knows. */
const RESULTS: Record<string, object> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'elsewhere', version: '1.0.0' },
  },
  ping: {},
  'tools/list': { tools: [{ name: 'own', inputSchema: { type: 'object' } }] },
  'resources/list': { resources: [{ uri: 'acme://notes', name: 'notes' }] },
}

/** It compresses for whoever lets it. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') return void response.writeHead(405).end()
  const { id, method } = JSON.parse((await request.toArray()).join(''))
  if (id === undefined) return void response.writeHead(202).end()
  const result = RESULTS[method]
  const error = { code: -32601, message: 'Method not found' }
  const json = JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) })
  const isZipped = /gzip/.test(String(request.headers['accept-encoding']))
  response.writeHead(200, {
    'content-type': 'application/json',
    ...(isZipped && { 'content-encoding': 'gzip' }),
  })
  response.end(isZipped ? gzipSync(json) : json)
}

async function startBehind(origin: string): Promise<Running> {
  const http = createServer((request, response) => void answer(request, response))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  const code = snippet!.code
    .replace('127.0.0.1:8000', `127.0.0.1:${port}`)
    .replace('https://app.example', origin)
  const front = await start({ ...snippet!, kind: 'server', code }, skills)
  return {
    url: front.url,
    async close() {
      await front.close()
      http.closeAllConnections()
      http.close()
    },
  }
}

describe('a server elsewhere, as the docs have it', () => {
  checkServer(skills, snippet!.options, startBehind)
})

test('its own resources come first, and its tools stay', async () => {
  const running = await startBehind('https://app.example')
  const ask = async (method: string): Promise<any> => {
    const response = await fetch(running.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }),
    })
    return ((await response.json()) as any).result
  }
  expect((await ask('resources/list')).resources[0].uri).toBe('acme://notes')
  expect((await ask('resources/list')).resources).toHaveLength(1 + skills.length)
  expect((await ask('tools/list')).tools).toEqual((RESULTS['tools/list'] as any).tools)
  await running.close()
})
