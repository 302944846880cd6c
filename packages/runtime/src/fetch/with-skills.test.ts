import { describe, expect, test, vi } from 'vitest'
import type { WithSkillsOptions } from './with-skills.ts'
import { call, post, SKILLS } from '../testing/skills.ts'
import { withSkills } from './with-skills.ts'

const open: WithSkillsOptions = { auth: 'public' }
const SKILL_URI = 'skill://refunds/SKILL.md'

/** A small server of another kind, in JSON. `extra` headers stand on every answer. */
function jsonServer(results: Record<string, unknown>, extra: Record<string, string> = {}, unknown = -32601) {
  return vi.fn<(request: Request) => Promise<Response>>(async (request) => {
    const body = (await request.json()) as any
    const answer = ({ id, method, params }: any): object | undefined => {
      if (id === undefined) return undefined
      const result = method in results ? results[method] : undefined
      const found = typeof result === 'function' ? result(params) : result
      return { jsonrpc: '2.0', id, ...(found ?? { error: { code: unknown, message: 'Unknown' } }) }
    }
    const answers = [body].flat().map(answer).filter(Boolean)
    if (!answers.length) return new Response(null, { status: 202 })
    return Response.json(Array.isArray(body) ? answers : answers[0], { headers: extra })
  })
}

/** A server that streams. */
function streamServer(chunks: readonly (string | Uint8Array)[], headers: Record<string, string> = {}) {
  return async (): Promise<Response> => {
    const rest = [...chunks]
    const body = new ReadableStream({
      pull(controller) {
        const chunk = rest.shift()
        if (chunk === undefined) controller.close()
        else controller.enqueue(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk)
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream', ...headers } })
  }
}

const notFound = (id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })

test('who may have skills has to be said', () => {
  expect(() => withSkills(jsonServer({}), SKILLS, {} as WithSkillsOptions)).toThrow(/auth: 'public'/)
})

describe('answers', () => {
  test('methods that the server does not know are ours', async () => {
    const server = withSkills(jsonServer({}), SKILLS, open)
    const list = await (await server.fetch(post(call('skills/list')))).json()
    expect(list.result.skills.map(({ uri }: any) => uri)).toEqual([
      'skill://acme/invoices/SKILL.md',
      SKILL_URI,
    ])
    const read = await (await server.fetch(post(call('resources/read', { uri: SKILL_URI })))).json()
    expect(read.result.contents[0].text).toBe('Pay back')
    const directory = await (
      await server.fetch(post(call('resources/directory/read', { uri: 'skill://refunds' })))
    ).json()
    expect(directory.result.resources).toHaveLength(2)
  })
  test('what it answers stands', async () => {
    const own = { 'skills/list': { result: { skills: [] } }, 'tools/list': { result: { tools: [1] } } }
    const server = withSkills(jsonServer(own), SKILLS, open)
    for (const method of ['skills/list', 'tools/list'] as const) {
      const answer = await (await server.fetch(post(call(method)))).json()
      expect(answer.result).toEqual(method === 'tools/list' ? { tools: [1] } : { skills: [] })
    }
  })
  test.each([-32601, -32602, -32002])('a skill that it knows nothing of (%d) is read', async (code) => {
    const server = withSkills(jsonServer({}, {}, code), SKILLS, open)
    const answer = await (await server.fetch(post(call('resources/read', { uri: SKILL_URI })))).json()
    expect(answer.result.contents[0].text).toBe('Pay back')
  })
  test.each([
    ['resources/read', { uri: 'file:///etc/passwd' }, -32602],
    ['tools/call', { name: 'x' }, -32601],
    ['resources/read', { uri: SKILL_URI }, -32603],
    ['skills/list', {}, -32000],
  ])('%s %j with %d stays as it was', async (method, params, code) => {
    const server = withSkills(jsonServer({}, {}, code), SKILLS, open)
    const answer = await (await server.fetch(post(call(method, params)))).json()
    expect(answer.error).toEqual({ code, message: 'Unknown' })
  })
  test('an unknown skill is -32602 of ours', async () => {
    const server = withSkills(jsonServer({}, {}, -32002), SKILLS, open)
    const answer = await (
      await server.fetch(post(call('resources/read', { uri: 'skill://none/SKILL.md' })))
    ).json()
    expect(answer.error.code).toBe(-32602)
  })
  test('the opening is completed', async () => {
    const capabilities = { tools: {}, resources: { subscribe: true }, extensions: { 'acme/x': {} } }
    const inner = jsonServer({ initialize: { result: { protocolVersion: '2025-11-25', capabilities } } })
    const answer = await (await withSkills(inner, SKILLS, open).fetch(post(call('initialize')))).json()
    expect(answer.result).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: {
        tools: {},
        resources: { subscribe: true },
        extensions: { 'acme/x': {}, 'io.modelcontextprotocol/skills': { directoryRead: true } },
      },
    })
  })
  test('resources are listed after its own, page by page', async () => {
    const pages: Record<string, object> = {
      '': { resources: [{ uri: 'a:1' }], nextCursor: '2' },
      2: { resources: [{ uri: 'a:2' }] },
    }
    const inner = jsonServer(
      {
        'resources/list': ({ cursor = '' }: any) => pages[cursor] && { result: pages[cursor] },
      },
      {},
      -32602,
    )
    const server = withSkills(inner, SKILLS, { ...open, pageSize: 1 })
    const uris: string[] = []
    let cursor: string | undefined
    do {
      const answer: any = await (
        await server.fetch(post(call('resources/list', cursor ? { cursor } : {})))
      ).json()
      uris.push(...answer.result.resources.map(({ uri }: any) => uri))
      cursor = answer.result.nextCursor
    } while (cursor)
    expect(uris).toEqual(['a:1', 'a:2', 'skill://acme/invoices/SKILL.md', SKILL_URI])
  })
  test('a modern answer has what its era asks for, and the smaller hints', async () => {
    const hints = { ttlMs: 5000, cacheScope: 'public' }
    const inner = jsonServer({
      'resources/list': { result: { resources: [], ...hints, resultType: 'complete' } },
    })
    const server = withSkills(inner, SKILLS, { ...open, ttlMs: 1000, cacheScope: 'public' })
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    const listed = await (await server.fetch(post(call('resources/list', { _meta })))).json()
    expect(listed.result).toMatchObject({ ttlMs: 1000, cacheScope: 'public', resultType: 'complete' })
    const skills = await (await server.fetch(post(call('skills/list', { _meta })))).json()
    expect(skills.result).toMatchObject({ ttlMs: 1000, cacheScope: 'public', resultType: 'complete' })
    const legacy = await (await server.fetch(post(call('skills/list')))).json()
    expect(Object.keys(legacy.result)).toEqual(['skills'])
  })
  test('a modern "not found" under 404 becomes 200', async () => {
    const inner = async (): Promise<Response> =>
      new Response(notFound(), {
        status: 404,
        headers: { 'content-type': 'application/json', 'mcp-session-id': 's' },
      })
    const response = await withSkills(inner, SKILLS, open).fetch(post(call('skills/list')))
    expect([response.status, response.headers.get('mcp-session-id')]).toEqual([200, 's'])
  })
  test.each([401, 403, 500, 503])('a "not found" under %d stays', async (status) => {
    const inner = async (): Promise<Response> => new Response(notFound(), { status })
    const response = await withSkills(inner, SKILLS, open).fetch(post(call('skills/list')))
    expect([response.status, await response.text()]).toEqual([status, notFound()])
  })
  test('a source that fails is told of, and the client learns nothing', async () => {
    const onError = vi.fn<(error: unknown) => void>()
    const failure = new Error('secret')
    const fail = (): never => {
      throw failure
    }
    const source = { list: fail, get: fail, read: fail, readDirectory: fail }
    const server = withSkills(jsonServer({}), source, { ...open, onError })
    const response = await server.fetch(post(call('skills/list')))
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32603, message: 'Internal error' },
    })
    expect(onError).toHaveBeenCalledWith(failure)
  })
})

describe('callers', () => {
  const authenticate = (request: Request): unknown =>
    request.headers.get('authorization') === 'Bearer good' ? { clientId: 'me' } : undefined
  // It checks tokens in the methods that it knows, so anybody learns that it does not know others.
  const lazy = async (request: Request): Promise<Response> => {
    const { id, method } = (await request.clone().json()) as { id: unknown; method: string }
    if (method === 'initialize') return Response.json({ jsonrpc: '2.0', id, result: { capabilities: {} } })
    if (method !== 'resources/list')
      return new Response(notFound(id), { headers: { 'content-type': 'application/json' } })
    const isKnown = request.headers.get('authorization') === 'Bearer good'
    return Response.json({ jsonrpc: '2.0', id, result: { resources: isKnown ? [{ uri: 'a:1' }] : [] } })
  }
  const good = { authorization: 'Bearer good' }

  test.each(['skills/list', 'skills/get', 'resources/read', 'resources/directory/read'])(
    'nobody gets 401 for %s',
    async (method) => {
      const server = withSkills(lazy, SKILLS, { authenticate })
      const uri = method.startsWith('resources/directory') ? 'skill://refunds' : SKILL_URI
      const refused = await server.fetch(post(call(method, { uri })))
      expect(refused.status).toBe(401)
      expect(refused.headers.get('www-authenticate')).toBe('Bearer')
      expect(await refused.text()).not.toContain('refunds')
      expect((await server.fetch(post(call(method, { uri }), good))).status).toBe(200)
    },
  )
  test('its own listing stands for nobody, without skills', async () => {
    const server = withSkills(lazy, SKILLS, { authenticate })
    expect((await (await server.fetch(post(call('resources/list')))).json()).result.resources).toEqual([])
    const listed = await (await server.fetch(post(call('resources/list'), good))).json()
    expect(listed.result.resources).toHaveLength(3)
    expect((await server.fetch(post(call('initialize')))).status).toBe(200)
  })
  test('a batch shows nothing to nobody', async () => {
    const server = withSkills(jsonServer({}), SKILLS, { authenticate })
    const text = await (
      await server.fetch(post([call('skills/list', {}, 1), call('resources/read', { uri: SKILL_URI }, 2)]))
    ).text()
    expect(text).not.toContain('Pay back')
    expect(JSON.parse(text).map(({ error }: any) => error.code)).toEqual([-32601, -32601])
  })
  test('nobody gets 401 from a stream as well', async () => {
    const server = withSkills(streamServer([`data: ${notFound()}\n\n`]), SKILLS, { authenticate })
    expect((await server.fetch(post(call('skills/list')))).status).toBe(401)
    expect(await (await server.fetch(post(call('skills/list'), good))).text()).toContain('refunds')
  })
  test('a server that answers 401 to all is asked first', async () => {
    const strict = async (): Promise<Response> =>
      new Response('No', { status: 401, headers: { 'www-authenticate': 'Bearer realm="inner"' } })
    const verify = vi.fn<(request: Request) => unknown>(authenticate)
    const response = await withSkills(strict, SKILLS, { authenticate: verify }).fetch(
      post(call('skills/list'), good),
    )
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="inner"'])
    expect(verify).not.toHaveBeenCalled()
  })
  test('the caller reaches the source', async () => {
    const seen: unknown[] = []
    const none = (): undefined => undefined
    const source = {
      list: (_: string, __: number, { authInfo }: { authInfo?: unknown }) => {
        seen.push(authInfo)
        return { items: [], more: false }
      },
      get: none,
      read: none,
      readDirectory: none,
    }
    await withSkills(lazy, source, { authenticate }).fetch(post(call('skills/list'), good))
    expect(seen).toEqual([{ clientId: 'me' }])
  })
})

describe('bodies', () => {
  test('arrive byte for byte', async () => {
    const text = ' {"jsonrpc":"2.0",  "id":1,"method":"skills/list","params":{"x":"\\u00e9é"}}\n'
    const seen: string[] = []
    const inner = async (request: Request): Promise<Response> => {
      seen.push(await request.text(), request.headers.get('x-custom')!, request.method)
      return Response.json({})
    }
    await withSkills(inner, SKILLS, open).fetch(post(text, { 'x-custom': 'kept' }))
    expect(seen).toEqual([text, 'kept', 'POST'])
  })
  test('over the limit pass untouched, in full', async () => {
    const inner = jsonServer({})
    const request = post(call('skills/list', { x: 'x'.repeat(1000) }))
    const response = await withSkills(inner, SKILLS, { ...open, maxBodyBytes: 100 }).fetch(request)
    expect((await response.json()).error.code).toBe(-32601)
  })
  test('a stream over the limit passes in full', async () => {
    const length = 300_000
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        if (sent === length) controller.close()
        else controller.enqueue(new Uint8Array(10_000).fill(32))
        sent = Math.min(sent + 10_000, length)
      },
    })
    const request = new Request('https://acme.example/', {
      method: 'POST',
      body,
      duplex: 'half',
    } as RequestInit)
    const seen = vi.fn<(bytes: number) => void>()
    const inner = async (request: Request): Promise<Response> => {
      seen((await request.arrayBuffer()).byteLength)
      return new Response('ok')
    }
    await withSkills(inner, SKILLS, { ...open, maxBodyBytes: 50_000 }).fetch(request)
    expect(seen).toHaveBeenCalledWith(length)
  })
  test('that are encoded pass untouched', async () => {
    const inner = jsonServer({})
    const request = post(call('skills/list'), { 'content-encoding': 'gzip', 'accept-encoding': 'gzip' })
    await withSkills(inner, SKILLS, open).fetch(request)
    expect(inner.mock.calls[0]![0]).toBe(request)
  })
  test('that are no JSON, and other methods, are for the server', async () => {
    const inner = vi.fn<(request: Request) => Promise<Response>>(async () => new Response('?'))
    const server = withSkills(inner, SKILLS, open)
    expect(await (await server.fetch(post('{'))).text()).toBe('?')
    expect(await (await server.fetch(new Request('https://acme.example/'))).text()).toBe('?')
    expect(
      await (await server.fetch(new Request('https://acme.example/', { method: 'DELETE' }))).text(),
    ).toBe('?')
  })
  test('only requests that may be answered here ask for an answer in the clear', async () => {
    const inner = jsonServer({ 'tools/list': { result: { tools: [] } } })
    const server = withSkills(inner, SKILLS, open)
    await server.fetch(post(call('skills/list'), { 'accept-encoding': 'gzip' }))
    await server.fetch(post(call('tools/list'), { 'accept-encoding': 'gzip' }))
    expect(inner.mock.calls.map(([request]) => request.headers.get('accept-encoding'))).toEqual([
      'identity',
      'gzip',
    ])
  })
})

describe('headers', () => {
  const extra = {
    'content-length': '70',
    etag: '"1"',
    'content-digest': 'sha-256=:x:',
    'repr-digest': 'sha-256=:x:',
    digest: 'x',
    'mcp-session-id': 'session',
    'set-cookie': 'a=1',
    'access-control-allow-origin': '*',
  }
  test('a replaced answer keeps those that are still true', async () => {
    const response = await withSkills(jsonServer({}, extra), SKILLS, open).fetch(post(call('skills/list')))
    const names = [...response.headers.keys()]
    expect(names.sort()).toEqual([
      'access-control-allow-origin',
      'content-type',
      'mcp-session-id',
      'set-cookie',
    ])
  })
  test('an answer that stands keeps all', async () => {
    const inner = jsonServer({ 'skills/list': { result: { skills: [] } } }, extra)
    const response = await withSkills(inner, SKILLS, open).fetch(post(call('skills/list')))
    for (const [name, value] of Object.entries(extra)) expect(response.headers.get(name)).toBe(value)
  })
  test('an answer that is compressed all the same passes untouched', async () => {
    const inner = async (): Promise<Response> =>
      new Response('zip', { headers: { 'content-encoding': 'gzip' } })
    expect(await (await withSkills(inner, SKILLS, open).fetch(post(call('skills/list')))).text()).toBe('zip')
  })
})

describe('batches', () => {
  test('ids match by type and value', async () => {
    const server = withSkills(jsonServer({ 'tools/list': { result: { tools: [] } } }), SKILLS, open)
    const answers = await (
      await server.fetch(
        post([
          call('skills/get', { uri: SKILL_URI }, 1),
          call('tools/list', {}, '1'),
          call('skills/list', {}, '2'),
          call('x', {}, 2),
        ]),
      )
    ).json()
    expect(answers.map(({ id, result, error }: any) => [id, Object.keys(result ?? error)[0]])).toEqual([
      [1, 'skill'],
      ['1', 'tools'],
      ['2', 'skills'],
      [2, 'code'],
    ])
  })
})

describe('event streams', () => {
  const progress =
    'event: message\nid: 1\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\n'
  async function read(chunks: readonly (string | Uint8Array)[]): Promise<string> {
    const response = await withSkills(
      streamServer(chunks, { etag: 'x', 'mcp-session-id': 's' }),
      SKILLS,
      open,
    ).fetch(post(call('skills/list')))
    expect([response.headers.get('etag'), response.headers.get('mcp-session-id')]).toEqual([null, 's'])
    return response.text()
  }
  test('events before the answer pass as they are, and a replaced one has no id', async () => {
    const text = await read([
      ': hello\n\n',
      progress,
      `event: message\nid: 2\nretry: 5\ndata: ${notFound()}\n\n`,
    ])
    expect(
      text.startsWith(
        `: hello\n\n${progress}event: message\nretry: 5\ndata: {"jsonrpc":"2.0","id":1,"result":{"skills"`,
      ),
    ).toBe(true)
    expect(text).not.toContain('id: 2')
  })
  test.each([
    ['CRLF', '\r\n'],
    ['CR', '\r'],
    ['LF', '\n'],
  ])('%s, cut at every byte', async (_, end) => {
    const stream = [
      `event: message`,
      `id: 1`,
      `data: ${notFound().slice(0, 17)}`,
      `data:${notFound().slice(17)}`,
      '',
      ': \u00e9\u{1f600}',
      '',
      '',
    ]
    const bytes = new TextEncoder().encode(stream.join(end))
    const text = await read([...bytes].map((byte) => new Uint8Array([byte])))
    expect(text).toContain('"skills":[')
    expect(text).not.toContain('-32601')
    expect(text).toContain('\u00e9\u{1f600}')
  })
  test('a stream that ends within its last event is answered', async () => {
    expect(await read([`data: ${notFound()}`])).toContain('"skills":[')
  })
  test('what JavaScript takes for the end of a line ends none', async () => {
    const own = { uri: 'acme://notes', name: 'Notes\u2028\u2029' }
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { resources: [own] } })
    const server = withSkills(streamServer([`data: ${message}\n\n`]), SKILLS, open)
    const text = await (await server.fetch(post(call('resources/list')))).text()
    const { resources } = JSON.parse(text.slice('data: '.length)).result
    expect(resources[0]).toEqual(own)
    expect(resources).toHaveLength(3)
  })
  test('a batch in one event', async () => {
    const server = withSkills(streamServer([`data: [${notFound(1)},${notFound('1')}]\n\n`]), SKILLS, open)
    const text = await (
      await server.fetch(post([call('skills/list', {}, 1), call('tools/x', {}, '1')]))
    ).text()
    const [ours, theirs] = JSON.parse(text.slice('data: '.length))
    expect([ours.result.skills.length, theirs.error.code]).toEqual([2, -32601])
  })
  test('who goes away is followed', async () => {
    const cancel = vi.fn<() => void>()
    const inner = async (): Promise<Response> =>
      new Response(new ReadableStream({ cancel }), { headers: { 'content-type': 'text/event-stream' } })
    const response = await withSkills(inner, SKILLS, open).fetch(post(call('skills/list')))
    await response.body!.cancel()
    expect(cancel).toHaveBeenCalledOnce()
  })
  test('the signal of the request reaches server and source', async () => {
    const controller = new AbortController()
    const signals: (AbortSignal | undefined)[] = []
    const inner = async (request: Request): Promise<Response> => {
      signals.push(request.signal)
      return new Response(notFound(), { headers: { 'content-type': 'application/json' } })
    }
    const none = (): undefined => undefined
    const source = {
      list: (_: string, __: number, { signal }: { signal?: AbortSignal | undefined }) => {
        signals.push(signal)
        return { items: [], more: false }
      },
      get: none,
      read: none,
      readDirectory: none,
    }
    await withSkills(inner, source, open).fetch(
      new Request(post(call('skills/list')), { signal: controller.signal }),
    )
    controller.abort()
    expect(signals.map((signal) => signal!.aborted)).toEqual([true, true])
  })
})
