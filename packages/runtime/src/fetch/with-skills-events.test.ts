import { expect, test, vi } from 'vitest'
import type { WithSkillsOptions } from './with-skills.ts'
import { notFound, streamServer } from '../testing/inner.ts'
import { call, post, SKILLS } from '../testing/skills.ts'
import { withSkills } from './with-skills.ts'

const open: WithSkillsOptions = { auth: 'public' }

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
  const text = await (await server.fetch(post([call('skills/list', {}, 1), call('tools/x', {}, '1')]))).text()
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
