import { describe, expect, test, vi } from 'vitest'
import { call, post, SKILLS } from '../testing/skills.ts'
import { guard } from './guard.ts'
import { serveSkills } from './serve.ts'
import { withSkills } from './with-skills.ts'

const SSE = { headers: { 'content-type': 'text/event-stream' } }

/** A response whose body comes in these pieces. */
function inPieces(pieces: Iterable<string>, init: ResponseInit = SSE): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece))
      controller.close()
    },
  })
  return new Response(body, init)
}

describe('an event in a thousand pieces', () => {
  const own = { jsonrpc: '2.0', id: 1, result: { resources: [], text: 'x'.repeat(100_000) } }
  const event = `data: ${JSON.stringify(own)}\n\n`
  const pieces = event.match(/.{1,100}\n*/gs)!

  test('is read once, and not again for each of them', async () => {
    const exec = vi.spyOn(RegExp.prototype, 'exec')
    const server = withSkills(() => inPieces(pieces), SKILLS, { auth: 'public' })
    const text = await (await server.fetch(post(call('resources/list')))).text()
    // To split a text is to ask at every place of it, once.
    const read = exec.mock.calls.reduce(
      (sum, [text], index) => sum + ((exec.mock.contexts[index] as RegExp).sticky ? 1 : text.length),
      0,
    )
    exec.mockRestore()
    expect(text).toContain('skill://refunds/SKILL.md')
    expect(pieces.length).toBeGreaterThan(900)
    expect(read).toBeLessThan(20 * event.length)
  })
  test.each(['\n', '\r\n', '\r'])('ends at any line end, however it is cut: %j', async (end) => {
    const unknown = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'No' } })
    const stream = `: hello${end}${end}id: 7${end}data: ${unknown}${end}${end}: bye${end}${end}`
    const server = withSkills(() => inPieces(stream), SKILLS, { auth: 'public' })
    const text = await (await server.fetch(post(call('skills/list')))).text()
    expect(text).toContain('skill://refunds/SKILL.md')
    expect(text).not.toContain('-32601')
    expect([text.startsWith(`: hello${end}${end}`), text.endsWith(`: bye${end}${end}`)]).toEqual([true, true])
  })
})

test('what stands does so byte for byte, text or not', async () => {
  for (const bytes of [
    [0x3c, 0x70, 0x3e, 0xe9, 0xe9],
    [0xef, 0xbb, 0xbf, 0x7b, 0x7d],
  ]) {
    const headers = { 'content-type': 'text/html; charset=iso-8859-1', 'content-length': '5' }
    const page = (): Response => new Response(Uint8Array.from(bytes), { status: 404, headers })
    const response = await withSkills(page, SKILLS, { auth: 'public' }).fetch(post(call('skills/list')))
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual(bytes)
  }
})

test('an answer after a byte order mark is completed', async () => {
  const text = `\ufeff${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { resources: [] } })}`
  const server = withSkills(() => new Response(text), SKILLS, { auth: 'public' })
  const { result } = await (await server.fetch(post(call('resources/list')))).json()
  expect(result.resources).toHaveLength(2)
})

test('ids that look alike are told apart', async () => {
  const server = withSkills(
    () =>
      Response.json([
        { jsonrpc: '2.0', id: '1', error: { code: -32601, message: 'No' } },
        { jsonrpc: '2.0', id: 1, result: {} },
      ]),
    SKILLS,
    { auth: 'public' },
  )
  const answers = await (await server.fetch(post([call('ping', {}, 1), call('skills/list', {}, '1')]))).json()
  expect(answers).toMatchObject([
    { id: '1', result: { skills: [{}, {}] } },
    { id: 1, result: {} },
  ])
})

describe('guard between JSON and events', () => {
  const answer = { jsonrpc: '2.0', id: 1, result: { text: 'a\u2028b' } }
  const spread = JSON.stringify(answer, undefined, 2)
  const progress = '{"jsonrpc":"2.0","method":"notifications/progress"}'

  test.each(['\n', '\r\n', '\r'])('JSON over many lines is one event: %j', async (end) => {
    const handler = (): Response =>
      new Response(spread.replaceAll('\n', end), { headers: { 'content-type': 'application/json' } })
    const response = await guard(handler).fetch(post(call('ping'), { accept: 'text/event-stream' }))
    const [, data] = /^event: message\ndata: ([^\r\n]*)\n\n$/.exec(await response.text())!
    expect(JSON.parse(data!)).toEqual(answer)
  })
  test.each([
    ['data over many lines', (end: string) => spread.replaceAll('\n', `${end}data: `)],
    ['data without a space', () => JSON.stringify(answer)],
  ])('%s is one answer, between others', async (_, data) => {
    for (const end of ['\n', '\r\n', '\r']) {
      const events = [': hello', 'data: ping', 'data:', `data: ${progress}`, `id: 1${end}data:${data(end)}`]
      const handler = (): Response => new Response(events.join(end + end) + end + end, SSE)
      const response = await guard(handler).fetch(post(call('ping'), { accept: 'application/json' }))
      expect([response.status, await response.json()]).toEqual([200, answer])
    }
  })
})

test('a body that is declared too long is refused before it comes', async () => {
  const server = guard(serveSkills(SKILLS, { name: 'test', version: '1.0.0' }), { maxBodyBytes: 100 })
  const request = new Request('https://acme.example/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': '101' },
    body: new ReadableStream(),
    duplex: 'half',
  } as RequestInit)
  expect((await server.fetch(request)).status).toBe(413)
})

describe('guard and hosts', () => {
  const server = guard(serveSkills(SKILLS, { name: 'test', version: '1.0.0' }))
  test.each([
    ['http://localhost:3000/mcp', 'LOCALHOST:3000', 200],
    ['http://[::1]:3000/mcp', '[::1]:3000', 200],
    ['http://127.0.0.1:3000/mcp', '127.0.0.1', 200],
    ['http://127.0.0.1:3000/mcp', 'localhost.evil.example:3000', 403],
    ['http://127.0.0.1:3000/mcp', 'localhost:3000:1', 403],
    ['http://127.0.0.1:3000/mcp', 'evil.example', 403],
    ['http://[::1]:3000/mcp', '[::1].evil.example', 403],
  ])('%s as %s: %d', async (url, host, status) => {
    expect((await server.fetch(post(call('ping'), { host }, url))).status).toBe(status)
  })
})

test('a refusal says in its body, too, how to get in', async () => {
  const server = guard(serveSkills(SKILLS, { name: 'test', version: '1.0.0' }), {
    authenticate: () => undefined,
  })
  const response = await server.fetch(post(call('ping')))
  expect([response.status, response.headers.get('www-authenticate'), await response.json()]).toEqual([
    401,
    'Bearer',
    'Bearer ',
  ])
})
