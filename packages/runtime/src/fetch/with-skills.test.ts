import { expect, test, vi } from 'vitest'
import type { WithSkillsOptions } from './with-skills.ts'
import { jsonServer, notFound } from '../testing/inner.ts'
import { call, post, SKILL_URI, SKILLS } from '../testing/skills.ts'
import { withSkills } from './with-skills.ts'

const open: WithSkillsOptions = { auth: 'public' }

test('who may have skills has to be said', () => {
  expect(() => withSkills(jsonServer({}), SKILLS, {} as WithSkillsOptions)).toThrow(/auth: 'public'/)
})

test('methods that the server does not know are ours', async () => {
  const server = withSkills(jsonServer({}), SKILLS, open)
  const list = await (await server.fetch(post(call('skills/list')))).json()
  expect(list.result.skills.map(({ uri }: any) => uri)).toEqual(['skill://acme/invoices/SKILL.md', SKILL_URI])
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
