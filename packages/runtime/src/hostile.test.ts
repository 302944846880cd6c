import { describe, expect, test, vi } from 'vitest'
import type { MethodTable } from './methods.ts'
import { createCatalog } from './catalog.ts'
import { compiledSource } from './compiled.ts'
import { ProtocolError } from './errors.ts'
import { prompts } from './features/prompts.ts'
import { manifests } from './features/manifests.ts'
import { tools } from './features/tools.ts'
import { serveSkills } from './fetch/serve.ts'
import { withSkills } from './fetch/with-skills.ts'
import { capabilitiesOf, handle } from './handle.ts'
import { reply } from './stand-in.ts'
import { tableOf } from './methods.ts'
import { call, post, SKILLS } from './testing/skills.ts'

const info = { name: 'test', version: '1.0.0' }

/** What JSON can hold and nothing can turn into a text: it has neither a `toString` nor a `valueOf`. */
const ODD = { toString: 1, valueOf: 1 }
const NO_TEXTS = [ODD, [ODD], null, 7, ['skill://refunds/SKILL.md'], {}]

describe('a URI without end', () => {
  test.each(['read', 'readDirectory'] as const)('%s: few folders are looked up', async (method) => {
    let lookups = 0
    const skills = new Proxy(SKILLS.skills, {
      get: (target, uri, receiver) => (lookups++, Reflect.get(target, uri, receiver)),
    })
    const catalog = createCatalog({ ...SKILLS, skills })
    for (const segment of ['/a', '/%61'])
      await expect(catalog[method]!({ uri: `skill://a${segment.repeat(20_000)}` }, {})).rejects.toMatchObject(
        { code: -32602 },
      )
    expect(lookups).toBeLessThan(1000)
  })

  test('a skill that lies deep is read all the same', async () => {
    const root = `skill://${'a/'.repeat(98)}deep`
    const row = ['SKILL.md', 'text/markdown', 1, '0'.repeat(64), 0, 't0']
    const catalog = createCatalog({
      format: 1,
      skills: { [`${root}/SKILL.md`]: JSON.stringify([{ name: 'deep', description: 'Deep.' }, row]) },
      load: () => ({ t0: 'D' }),
    })
    expect(await catalog.read({ uri: `${root}/SKILL.md` }, {})).toMatchObject({ contents: [{ text: 'D' }] })
    expect(await catalog.readDirectory!({ uri: root }, {})).toMatchObject({ resources: [{ name: 'deep' }] })
  })

  test('a header that names another one is -32020', async () => {
    const uri = `skill://refunds/${'x'.repeat(200_000)}`
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'resources/read',
      'mcp-name': 'x',
    }
    const response = await serveSkills(SKILLS, info).fetch(
      post(call('resources/read', { uri, _meta }), headers),
    )
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: -32020 } }])
  })
})

test('cursors that a client made up are not kept', () => {
  const source = compiledSource(SKILLS)
  const kept = (after: string): boolean => source.list(after, 1) === source.list(after, 1)
  expect([kept(''), kept('skill://acme/invoices/SKILL.md')]).toEqual([true, true])
  expect(kept(`skill://a/${'x'.repeat(10_000)}`)).toBe(false)
  for (let index = 0; index < 2000; index++) source.list(`skill://a/${index}`, 1)
  expect(kept('skill://a/new')).toBe(false)
  expect(kept('')).toBe(true)
})

describe('params that are no texts', () => {
  const onError = vi.fn<(error: unknown) => void>()
  const server = serveSkills(SKILLS, info, { onError, features: [tools(), prompts(), manifests()] })
  const ask = async (method: string, params: unknown): Promise<any> =>
    (await server.fetch(post(call(method, params as object)))).json()

  test.each([
    ['skills/get', 'uri'],
    ['resources/read', 'uri'],
    ['resources/directory/read', 'uri'],
    ['skills/list', 'cursor'],
    ['resources/list', 'cursor'],
    ['prompts/get', 'name'],
    ['tools/call', 'name'],
  ])('%s: %s', async (method, field) => {
    for (const value of NO_TEXTS)
      expect([value, await ask(method, { [field]: value })]).toMatchObject([
        value,
        { error: { code: -32602 } },
      ])
    expect(onError).not.toHaveBeenCalled()
  })

  test('of a tool: the model is told', async () => {
    for (const value of NO_TEXTS) {
      const named = await ask('tools/call', { name: 'load_skill', arguments: { skill: value } })
      expect(named.result).toMatchObject({ isError: true })
    }
    for (const file of [...NO_TEXTS, '\ud800', 'a\0', '%zz', '../SKILL.md', '/etc/passwd', 'a//b', '.'])
      expect(
        (await ask('tools/call', { name: 'read_skill_file', arguments: { skill: 'refunds', file } })).result,
      ).toMatchObject({ isError: true })
    expect(onError).not.toHaveBeenCalled()
  })

  test('of a completion: nothing fits', async () => {
    const ref = { type: 'ref/resource', uri: 'skill://{name}/{+path}' }
    const argument = { name: 'path', value: '' }
    for (const name of NO_TEXTS)
      expect(
        (await ask('completion/complete', { ref, argument, context: { arguments: { name } } })).result,
      ).toEqual({ completion: { values: [], total: 0, hasMore: false } })
    for (const params of [
      { ref: { uri: ODD }, argument },
      { ref: ODD, argument },
      { ref: null, argument },
      { argument },
    ])
      expect(await ask('completion/complete', params)).toMatchObject({ error: { code: -32602 } })
    for (const odd of [ODD, null, 7])
      expect(await ask('completion/complete', { ref, argument: odd, context: odd })).toHaveProperty('result')
    expect(
      (await ask('completion/complete', { ref, argument: { name: 'name', value: ODD } })).result.completion,
    ).toMatchObject({ values: ['acme', 'refunds'] })
    expect(onError).not.toHaveBeenCalled()
  })

  test('files are named as on disk', async () => {
    const { result } = await ask('tools/call', {
      name: 'read_skill_file',
      arguments: { skill: 'refunds', file: 'data/mail.md' },
    })
    expect(result.content).toEqual([{ type: 'text', text: 'Dear' }])
  })
})

describe('behind another server', () => {
  const unknown = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }
  const absent = { jsonrpc: '2.0', id: 1, error: { code: -32002, message: 'No such resource' } }
  const table: MethodTable = tableOf(createCatalog(SKILLS), { features: [tools(), prompts(), manifests()] })

  test.each(['skills/get', 'resources/read', 'resources/directory/read', 'skills/list', 'resources/list'])(
    '%s never fails',
    async (method) => {
      for (const params of [...NO_TEXTS.flatMap((odd) => [{ uri: odd }, { cursor: odd }]), null, [], 'x'])
        for (const inner of [unknown, absent]) {
          const answer: any = await reply({ ...call(method), params } as any, inner, table, {})
          expect([params, answer.result ? 0 : answer.error.code]).toEqual([
            params,
            expect.toBeOneOf([0, -32602, -32002]),
          ])
        }
    },
  )
  test.each(['prompts/get', 'tools/call', 'completion/complete'])(
    '%s: is not taken for ours',
    async (method) => {
      const refused = { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Theirs' } }
      for (const odd of NO_TEXTS)
        expect(
          await reply({ ...call(method), params: { name: odd, ref: odd } } as any, refused, table, {}),
        ).toBe(refused)
    },
  )
  test('params that are null are none', async () => {
    const onError = vi.fn<(error: unknown) => void>()
    const server = withSkills(() => Response.json(unknown), SKILLS, { auth: 'public', onError })
    const response = await server.fetch(post({ ...call('skills/list'), params: null }))
    expect(await response.json()).toMatchObject({ result: { skills: [{}, {}] } })
    expect(onError).not.toHaveBeenCalled()
  })
})

test('the neutral door takes whatever stands for params', async () => {
  const catalog = createCatalog(SKILLS)
  expect(capabilitiesOf(catalog)).toHaveProperty('resources')
  for (const params of [null, [], 'x', 7] as any[]) {
    expect(await handle(catalog, 'skills/list', params)).toMatchObject({ skills: [{}, {}] })
    await expect(handle(catalog, 'skills/get', params)).rejects.toMatchObject({ code: -32602 })
  }
  await expect(handle(catalog, 'skills/get', { uri: ODD })).rejects.toMatchObject({ code: -32602 })
})

test('a tool does not take a file that fails for one that is not there', async () => {
  const source = {
    ...createCatalog(SKILLS),
    read: () => Promise.reject(new ProtocolError(-32603, 'Internal error')),
  }
  const params = { name: 'read_skill_file', arguments: { skill: 'refunds', file: 'data/mail.md' } }
  expect(await handle(source, 'tools/call', params, { features: [tools()] })).toMatchObject({
    content: [{ text: 'Internal error' }],
    isError: true,
  })
})
