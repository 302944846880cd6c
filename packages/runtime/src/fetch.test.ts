import { expect, test } from 'vitest'
import type { ServeOptions } from './fetch.ts'
import { serveSkills } from './fetch.ts'
import { compiledSet } from './testing/set.ts'

const set = compiledSet({ a: { 'SKILL.md': 'A' } })
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }

async function post(
  body: unknown,
  { headers = {}, skills = set, ...options }: ServeOptions & { headers?: object; skills?: typeof set } = {},
): Promise<{ status: number; body: unknown }> {
  const request = new Request('https://skills.example/mcp', {
    method: 'POST',
    headers: { ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const response = await serveSkills(skills, { name: 'test', version: '1' }, options).fetch(request)
  const text = await response.text()
  return { status: response.status, body: text && (JSON.parse(text) as unknown) }
}

test('a body that is no JSON is a parse error without an id', async () => {
  expect(await post('{')).toEqual({
    status: 400,
    body: { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Invalid JSON' } },
  })
})

test('pages of other origins are refused, those of its own are not', async () => {
  const status = async (origin: string): Promise<number> => (await post(PING, { headers: { origin } })).status
  expect(await status('https://evil.example')).toBe(403)
  expect(await status('null')).toBe(403)
  expect(await status('https://skills.example')).toBe(200)
})

test('a batch is answered request by request, and holds 100 messages at most', async () => {
  const unknown = { jsonrpc: '2.0', id: 'x', method: 'nobody/knows' }
  const note = { jsonrpc: '2.0', method: 'notifications/initialized' }
  expect(await post([PING, note, unknown])).toEqual({
    status: 200,
    body: [
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 'x', error: { code: -32601, message: 'Method not found' } },
    ],
  })
  expect(await post([note])).toEqual({ status: 202, body: '' })
  expect((await post(Array.from({ length: 100 }, () => PING))).status).toBe(200)
  expect((await post(Array.from({ length: 101 }, () => PING))).status).toBe(400)
})

test('what goes wrong inside is told to onError, and to nobody else', async () => {
  const errors: unknown[] = []
  const broken = {
    ...set,
    load: () => {
      throw new Error('the password is 1234')
    },
  }
  const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'skill://a/SKILL.md' } }
  expect(await post(read, { skills: broken, onError: (error) => errors.push(error) })).toEqual({
    status: 200,
    body: { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } },
  })
  expect(errors).toEqual([new Error('the password is 1234')])
  expect(await post({ ...PING, method: 'x' }, { onError: (error) => errors.push(error) })).toMatchObject({
    body: { error: { code: -32601 } },
  })
  expect(errors).toHaveLength(1)
})

test('it says which methods it has, and speaks the version that was asked for', async () => {
  const initialize = (protocolVersion: string): object => ({
    ...PING,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  })
  expect(await post(initialize('2025-06-18'), { instructions: 'Read first.' })).toMatchObject({
    body: { result: { protocolVersion: '2025-06-18', instructions: 'Read first.' } },
  })
  expect(await post(initialize('2024-01-01'))).toMatchObject({
    body: { result: { protocolVersion: '2025-11-25' } },
  })
  const server = serveSkills(set, { name: 'test', version: '1' })
  const response = await server.fetch(new Request('https://skills.example/mcp'))
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
})
