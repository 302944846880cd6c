import { describe, expect, test, vi } from 'vitest'
import { call, post, SKILLS } from '../testing/skills.ts'
import { bearerAuth } from './bearer.ts'
import type { GuardOptions } from './guard.ts'
import { guard } from './guard.ts'
import { serveSkills } from './serve.ts'

const info = { name: 'test', version: '1.0.0' }
const list = call('skills/list')
// With a character that JavaScript takes for the end of a line, and JSON and event streams do not.
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"text":"\u2028data: 1"}}'

async function ask(request: Request, options?: GuardOptions): Promise<Response> {
  return guard(serveSkills(SKILLS, info), options).fetch(request)
}

test('an ordinary request goes through', async () => {
  const response = await ask(post(list))
  expect(response.status).toBe(200)
  expect((await response.json()).result.skills).toHaveLength(2)
})

describe('media types', () => {
  test.each(['text/plain', 'application/json-patch+json', 'application/x-www-form-urlencoded'])(
    '%s is 415',
    async (type) => {
      expect((await ask(post(list, { 'content-type': type }))).status).toBe(415)
    },
  )
  test('a body without a type is 415', async () => {
    const request = post(list)
    request.headers.delete('content-type')
    expect((await ask(request)).status).toBe(415)
  })
  test.each(['Application/JSON; charset=utf-8', 'application/json;'])('%s is taken', async (type) => {
    expect((await ask(post(list, { 'content-type': type }))).status).toBe(200)
  })
  test.each([
    ['application/json', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['text/html, text/*;q=0.1', 'text/event-stream'],
    ['application/json;q=0, */*', 'text/event-stream'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['text/event-stream, application/json', 'application/json'],
  ])('Accept: %s gets %s', async (accept, type) => {
    const response = await ask(post(list, { accept }))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
    const text = await response.text()
    const json = type === 'application/json' ? text : /^event: message\ndata: (.*)\n\n$/.exec(text)![1]!
    expect(JSON.parse(json).result.skills).toHaveLength(2)
  })
  test.each([
    ['one answer, between other events', list, ANSWER],
    ['a batch', [list, list], `[${ANSWER},${ANSWER}]`],
  ])('an event stream is JSON for a client that takes no other: %s', async (_, body, expected) => {
    const count = Array.isArray(body) ? body.length : 1
    const events = [`id: 0\ndata: \n\n`, `event: message\ndata: {"method":"notifications/message"}\n\n`]
    const answers = Array.from({ length: count }, () => `event: message\r\ndata: ${ANSWER}\r\n\r\n`)
    const handler = async ({ headers }: Request): Promise<Response> =>
      headers.get('accept') === 'application/json, text/event-stream'
        ? new Response([...events, ...answers].join(''), {
            headers: { 'content-type': 'text/event-stream', 'mcp-session-id': '1' },
          })
        : new Response(null, { status: 406 })
    const response = await guard(handler).fetch(post(body, { accept: 'application/json' }))
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('mcp-session-id')).toBe('1')
    expect(await response.text()).toBe(expected)
  })
  test.each(['text/html', 'application/json;q=0', 'image/*, application/jsonp'])(
    'Accept: %s is 406',
    async (accept) => {
      expect((await ask(post(list, { accept }))).status).toBe(406)
    },
  )
})

describe('bodies', () => {
  test('over the limit are 413, whether declared or not', async () => {
    const options = { maxBodyBytes: 100 }
    expect((await ask(post(call('skills/list', { x: 'x'.repeat(100) })), options)).status).toBe(413)
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(64)) })
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: endless,
      duplex: 'half',
    }
    expect((await ask(new Request('https://acme.example/', init as RequestInit), options)).status).toBe(413)
  })
  test('at the limit are taken', async () => {
    const body = JSON.stringify(list)
    expect((await ask(post(body), { maxBodyBytes: body.length })).status).toBe(200)
  })
  test.each([
    ['{', -32700],
    ['[]', -32600],
    [[call('initialize'), call('ping')], -32600],
    [[call('ping', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } })], -32600],
    [Array.from({ length: 101 }, () => call('ping')), -32600],
    [{ jsonrpc: '2.0', id: null, method: 'ping' }, -32600],
  ])('%j is 400 with %d', async (body, code) => {
    const response = await ask(post(body))
    expect(response.status).toBe(400)
    expect((await response.json()).error.code).toBe(code)
  })
  test('a legacy batch is answered in its order', async () => {
    const response = await ask(
      post([call('ping', {}, 'a'), call('nothing', {}, 'b'), call('skills/list', {}, 'c')]),
    )
    const answers = await response.json()
    expect(answers.map(({ id, error }: any) => [id, error?.code])).toEqual([
      ['a', undefined],
      ['b', -32601],
      ['c', undefined],
    ])
  })
})

describe('paths', () => {
  test('other paths and well-known ones are 404', async () => {
    expect((await ask(post(list), { path: '/mcp' })).status).toBe(200)
    expect((await ask(post(list, {}, 'https://acme.example/'), { path: '/mcp' })).status).toBe(404)
    expect(
      (await ask(new Request('https://acme.example/.well-known/oauth-authorization-server'))).status,
    ).toBe(404)
  })
  test('GET is 405', async () => {
    const response = await ask(new Request('https://acme.example/mcp'))
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })
})

describe('hosts and origins', () => {
  test.each([
    ['https://acme.example/', {}, {}, 200],
    ['http://localhost:3000/', { host: 'localhost:3000' }, {}, 200],
    ['http://[::1]:3000/', { host: '[::1]:3000' }, {}, 200],
    ['http://localhost:3000/', { host: 'evil.example' }, {}, 403],
    ['http://localhost:3000/', { host: 'localhost.evil.example:3000' }, {}, 403],
    ['http://acme.example/', { host: 'acme.example:8080' }, { allowedHosts: ['acme.example'] }, 200],
    ['http://acme.example/', { host: 'evil.example' }, { allowedHosts: ['acme.example'] }, 403],
    ['https://acme.example/', { origin: 'https://acme.example' }, {}, 200],
    ['https://acme.example/', { origin: 'https://evil.example' }, {}, 403],
    ['https://acme.example/', { origin: 'null' }, {}, 403],
    ['https://acme.example/', { origin: 'https://acme.example.evil.example' }, {}, 403],
    ['http://localhost:3000/', { origin: 'http://localhost:3000' }, {}, 200],
    // A name that was pointed at this machine.
    ['http://rebound.example/', { origin: 'http://rebound.example' }, {}, 403],
    ['http://acme.example/', { origin: 'http://acme.example' }, { allowedHosts: ['acme.example'] }, 200],
    [
      'https://acme.example/',
      { origin: 'https://app.example' },
      { allowedOrigins: ['https://app.example'] },
      200,
    ],
    ['https://acme.example/', { origin: 'https://app.example' }, { allowedOrigins: ['*'] }, 200],
  ] as const)('%s with %j and %j is %d', async (url, headers, options, status) => {
    expect((await ask(post(list, headers, url), options)).status).toBe(status)
  })
})

describe('CORS', () => {
  const options = { allowedOrigins: ['https://app.example'] }
  test('a preflight says what browsers may send', async () => {
    const preflight = new Request('https://acme.example/mcp', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example' },
    })
    const response = await ask(preflight, options)
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example')
    const sent =
      'Authorization Content-Type Mcp-Method Mcp-Name MCP-Protocol-Version Mcp-Session-Id Last-Event-ID'
    for (const header of sent.split(' '))
      expect(response.headers.get('access-control-allow-headers')).toContain(header)
  })
  test('answers, refusals too, can be read by allowed pages alone', async () => {
    for (const request of [
      post(list, { origin: 'https://app.example' }),
      post('{', { origin: 'https://app.example' }),
    ]) {
      const { headers } = await ask(request, options)
      expect(headers.get('access-control-allow-origin')).toBe('https://app.example')
      expect(headers.get('access-control-expose-headers')).toBe('WWW-Authenticate, Mcp-Session-Id')
      expect(headers.get('vary')).toContain('Origin')
    }
    const refused = await ask(post(list, { origin: 'https://evil.example' }), options)
    expect(refused.headers.get('access-control-allow-origin')).toBe(null)
  })
})

describe('callers', () => {
  const token = { token: 'good', clientId: 'me', scopes: ['skills'] }
  const authenticate = bearerAuth({
    verify: (given) => {
      if (given === 'broken') throw new Error('The database is down')
      if (given === 'old') return { ...token, expiresAt: 1 }
      return given === 'good' ? token : given === 'narrow' ? { ...token, scopes: [] } : undefined
    },
    requiredScopes: ['skills'],
    resourceMetadata: { authorization_servers: ['https://login.example'] },
  })
  const metadata = 'resource_metadata="https://acme.example/.well-known/oauth-protected-resource/mcp"'

  test.each([
    [undefined, 401, `Bearer scope="skills", ${metadata}`],
    ['Bearer bad', 401, `Bearer error="invalid_token", scope="skills", ${metadata}`],
    ['Bearer old', 401, `Bearer error="invalid_token", scope="skills", ${metadata}`],
    ['Bearer narrow', 403, `Bearer error="insufficient_scope", scope="skills", ${metadata}`],
    ['Bearer broken', 500, null],
    ['Basic Z29vZA==', 401, `Bearer scope="skills", ${metadata}`],
    ['bearer good', 200, null],
  ])('%s is %d', async (authorization, status, challenge) => {
    const response = await ask(post(list, authorization ? { authorization } : {}), { authenticate })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([status, challenge])
    expect((await response.text()).includes('invoices')).toBe(status === 200)
  })
  test('who is nobody gets 401 without bearerAuth as well', async () => {
    const response = await ask(post(list), { authenticate: () => undefined })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })
  test('the caller reaches the source', async () => {
    const seen: unknown[] = []
    const skills = {
      list: (_: string, __: number, { authInfo }: { authInfo?: unknown }) => {
        seen.push(authInfo)
        return { items: [], more: false }
      },
      get: () => undefined,
      read: () => undefined,
      readDirectory: () => undefined,
    }
    await guard(serveSkills(skills, info), { authenticate }).fetch(
      post(list, { authorization: 'Bearer good' }),
    )
    expect(seen).toEqual([token])
  })
  test('metadata is served, and nothing else below /.well-known', async () => {
    const url = 'https://acme.example/.well-known/oauth-protected-resource/mcp'
    const response = await ask(new Request(url), { authenticate, path: '/mcp' })
    expect(await response.json()).toEqual({
      resource: 'https://acme.example/mcp',
      authorization_servers: ['https://login.example'],
    })
    const other = new Request('https://acme.example/.well-known/openid-configuration')
    expect((await ask(other, { authenticate, path: '/mcp' })).status).toBe(404)
  })
})

test('hooks hear of refusals, failures and answers', async () => {
  const logger = { warn: vi.fn<Console['warn']>(), error: vi.fn<Console['error']>() }
  const onRequest = vi.fn<NonNullable<GuardOptions['onRequest']>>()
  await ask(post(list, { origin: 'https://evil.example' }), { logger, onRequest })
  expect(logger.warn).toHaveBeenCalledWith('403 Invalid Origin https://evil.example')
  const failure = new Error('Something broke')
  const response = await guard(() => Promise.reject(failure), { logger, onRequest }).fetch(post(list))
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('broke')
  expect(logger.error).toHaveBeenCalledWith(failure)
  expect(onRequest.mock.calls.map(([, { status }]) => status)).toEqual([403, 500])
})

test('what the platform hands over reaches the handler', async () => {
  const handler = vi.fn<(...all: unknown[]) => Response>(() => new Response('ok'))
  await guard(handler).fetch(post(list), { binding: 1 }, 'ctx')
  expect(handler).toHaveBeenCalledWith(expect.any(Request), { binding: 1 }, 'ctx')
})
