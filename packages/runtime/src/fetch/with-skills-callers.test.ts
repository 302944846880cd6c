import { expect, test, vi } from 'vitest'
import { jsonServer, notFound, streamServer } from '../testing/inner.ts'
import { call, post, SKILL_URI, SKILLS } from '../testing/skills.ts'
import { withSkills } from './with-skills.ts'

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
