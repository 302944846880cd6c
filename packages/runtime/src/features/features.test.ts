import { describe, expect, test } from 'vitest'
import type { SkillCatalog } from '../catalog.ts'
import { createCatalog } from '../catalog.ts'
import { handle } from '../handle.ts'
import { call, post, SKILLS } from '../testing/skills.ts'
import { serveSkills } from '../fetch/serve.ts'
import { withSkills } from '../fetch/with-skills.ts'
import { listing } from './listing.ts'
import { manifests } from './manifests.ts'
import { prompts } from './prompts.ts'
import { tools } from './tools.ts'

const catalog = createCatalog(SKILLS)
const info = { name: 'test', version: '1.0.0' }

async function ask(
  method: string,
  params: object,
  features: Parameters<typeof handle>[3],
  from = catalog,
): Promise<any> {
  return handle(from, method, params as Record<string, unknown>, features)
}

describe('tools', () => {
  const features = { features: [tools()] }
  const load = (skill?: unknown): Promise<any> =>
    ask('tools/call', { name: 'load_skill', arguments: { skill } }, features)
  const read = (skill: string, file?: unknown): Promise<any> =>
    ask('tools/call', { name: 'read_skill_file', arguments: { skill, file } }, features)

  test('the description of load_skill names every skill', async () => {
    const { tools: listed } = await ask('tools/list', {}, features)
    expect(listed.map(({ name }: any) => name)).toEqual(['load_skill', 'read_skill_file'])
    expect(listed[0].description).toContain('- acme/invoices: Writes invoices.\n- refunds: Pays back.')
  })
  test('no more of it than asked for', async () => {
    const { tools: listed } = await ask('tools/list', {}, { features: [tools({ maxListing: 40 })] })
    expect(listed[0].description).toMatch(/invoices.*\n.*call load_skill without a skill/)
    expect(listed[0].description).not.toContain('refunds')
    expect((await load()).content[0].text).toBe(
      'Skills:\n- acme/invoices: Writes invoices.\n- refunds: Pays back.',
    )
  })
  test.each(['refunds', 'skill://refunds/SKILL.md'])(
    '%s is loaded, with the names of its files',
    async (skill) => {
      const { content } = await load(skill)
      expect(content[0]).toEqual({ type: 'text', text: 'Pay back' })
      expect(content[1].text).toContain('- data/logo.png (3 bytes)\n- data/mail.md (4 bytes)')
    },
  )
  test('a name will do where only one skill has it', async () => {
    expect((await load('invoices')).content[0].text).toBe('Invoice.')
  })
  test('files are read as what they are', async () => {
    expect((await read('refunds', 'data/mail.md')).content).toEqual([{ type: 'text', text: 'Dear' }])
    expect((await read('refunds', 'data/logo.png')).content).toEqual([
      { type: 'image', data: 'AQID', mimeType: 'image/png' },
    ])
  })
  test.each([
    ['none', 'SKILL.md'],
    ['refunds', 'none.md'],
    ['refunds', '../acme/invoices/SKILL.md'],
    ['refunds', '..%2F..%2Fetc%2Fpasswd'],
    ['refunds', undefined],
    ['refunds', 7],
  ])('%s with %s is an error that the model sees', async (skill, file) => {
    const result = await read(skill, file)
    expect(result.isError).toBe(true)
    expect(result.content[0].text).toMatch(
      /There is no skill none|Not found: skill:\/\/refunds\/|needs the path/,
    )
  })
  test('unknown tools are -32602', async () => {
    await expect(ask('tools/call', { name: 'other' }, features)).rejects.toMatchObject({ code: -32602 })
  })
  test('withheld from a client that declares the extension', async () => {
    const capabilities = { extensions: { 'io.modelcontextprotocol/skills': {} } }
    const _meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities }
    expect((await ask('tools/list', { _meta }, features)).tools).toEqual([])
    expect((await ask('tools/list', {}, { ...features, clientCapabilities: capabilities })).tools).toEqual([])
  })
  test('results of calls carry no caching fields', async () => {
    const context = { ...features, protocolVersion: '2026-07-28' }
    const listed = await ask('tools/list', {}, context)
    expect(listed).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' })
    const result = await ask('tools/call', { name: 'load_skill', arguments: { skill: 'refunds' } }, context)
    expect(Object.keys(JSON.parse(JSON.stringify(result))).sort()).toEqual(['content', 'resultType'])
  })
  test('serveSkills declares and serves them', async () => {
    const server = serveSkills(SKILLS, info, features)
    const opened = await (await server.fetch(post(call('initialize')))).json()
    expect(opened.result.capabilities.tools).toEqual({})
    expect((await (await server.fetch(post(call('tools/list')))).json()).result.tools).toHaveLength(2)
  })
  test('withSkills adds them to those of a server, and takes calls that it does not know', async () => {
    const inner = async (request: Request): Promise<Response> => {
      const { id, method, params } = (await request.json()) as any
      const results: Record<string, object> = {
        'tools/list': { tools: [{ name: 'own' }] },
        'tools/call': params.name === 'own' ? { content: ['own'] } : { content: ['?'], isError: true },
      }
      return Response.json({ jsonrpc: '2.0', id, result: results[method] })
    }
    const server = withSkills(inner, SKILLS, { auth: 'public', ...features })
    const ask = async (method: string, params = {}): Promise<any> =>
      (await (await server.fetch(post(call(method, params)))).json()).result
    expect((await ask('tools/list')).tools.map(({ name }: any) => name)).toEqual([
      'own',
      'load_skill',
      'read_skill_file',
    ])
    expect(await ask('tools/call', { name: 'own' })).toEqual({ content: ['own'] })
    expect(await ask('tools/call', { name: 'other' })).toEqual({ content: ['?'], isError: true })
    const loaded = await ask('tools/call', { name: 'load_skill', arguments: { skill: 'refunds' } })
    expect(loaded.content[0].text).toBe('Pay back')
  })
})

describe('prompts', () => {
  const features = { features: [prompts()] }
  test('one a skill, by its path', async () => {
    const { prompts: listed } = await ask('prompts/list', {}, features)
    expect(listed).toEqual([
      { name: 'acme/invoices', title: 'invoices', description: 'Writes invoices.' },
      { name: 'refunds', title: 'refunds', description: 'Pays back.' },
    ])
    const prompt = await ask('prompts/get', { name: 'refunds' }, features)
    expect(prompt.messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Pay back' } }])
    await expect(ask('prompts/get', { name: 'none' }, features)).rejects.toMatchObject({ code: -32602 })
    await expect(ask('prompts/get', {}, features)).rejects.toMatchObject({ code: -32602 })
  })
  test('page by page', async () => {
    const paged = createCatalog(SKILLS, { pageSize: 1 })
    const { prompts: first, nextCursor } = await ask('prompts/list', {}, features, paged)
    const { prompts: second } = await ask('prompts/list', { cursor: nextCursor }, features, paged)
    expect([...first, ...second].map(({ name }: any) => name)).toEqual(['acme/invoices', 'refunds'])
  })
})

describe('listing', () => {
  const uris = async (
    shown: 'files' | 'none' | 'skills',
    from: SkillCatalog = catalog,
  ): Promise<string[]> => {
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await ask('resources/list', cursor ? { cursor } : {}, { features: [listing(shown)] }, from)
      found.push(...page.resources.map(({ uri }: any) => uri))
      cursor = page.nextCursor
    } while (cursor)
    return found
  }
  test('S3: skills, files or nothing', async () => {
    expect(await uris('none')).toEqual([])
    expect(await uris('skills')).toEqual(['skill://acme/invoices/SKILL.md', 'skill://refunds/SKILL.md'])
    expect(await uris('files')).toEqual([
      'skill://acme/invoices/SKILL.md',
      'skill://refunds/SKILL.md',
      'skill://refunds/data/logo.png',
      'skill://refunds/data/mail.md',
    ])
  })
  test('files have their media types', async () => {
    const { resources } = await ask('resources/list', {}, { features: [listing('files')] })
    expect(resources.at(-2)).toEqual({
      uri: 'skill://refunds/data/logo.png',
      name: 'data/logo.png',
      size: 3,
      mimeType: 'image/png',
    })
  })
  test('many are paged, each once, nested ones too', async () => {
    const row = (path: string): unknown[] => [path, 'text/plain', 1, '0'.repeat(64), 0, 't0']
    const files = Array.from({ length: 250 }, (_, index) =>
      row(`inner/f${String(index).padStart(3, '0')}.txt`),
    )
    const nested = files.map(([path, ...rest]) => [(path as string).slice('inner/'.length), ...rest])
    const skill = (name: string, rows: unknown[]): string =>
      JSON.stringify([{ name, description: 'd' }, row('SKILL.md'), ...rows])
    const many = createCatalog({
      format: 1,
      skills: {
        'skill://outer/SKILL.md': skill('outer', [row('inner/SKILL.md'), ...files]),
        'skill://outer/inner/SKILL.md': skill('inner', nested),
      },
      load: () => ({ t0: 'x' }),
    })
    const found = await uris('files', many)
    expect(found).toHaveLength(252)
    expect(new Set(found).size).toBe(252)
  })
})

describe('manifests (S8, S9)', () => {
  const features = { features: [manifests()] }
  test('a manifest for each skill', async () => {
    const { resources } = await ask('resources/list', {}, features)
    expect(resources.map(({ uri }: any) => uri)).toEqual([
      'skill://acme/invoices/SKILL.md',
      'skill://acme/invoices/_manifest',
      'skill://refunds/SKILL.md',
      'skill://refunds/_manifest',
    ])
    const { contents } = await ask('resources/read', { uri: 'skill://refunds/_manifest' }, features)
    const hash = `sha256:${'0'.repeat(64)}`
    expect(contents[0].mimeType).toBe('application/json')
    expect(JSON.parse(contents[0].text)).toEqual({
      skill: 'refunds',
      files: [
        { path: 'SKILL.md', size: 8, hash },
        { path: 'data/logo.png', size: 3, hash },
        { path: 'data/mail.md', size: 4, hash },
      ],
    })
  })
  test('nothing where there is no skill', async () => {
    for (const uri of [
      'skill://none/_manifest',
      'skill://refunds/data/_manifest',
      'skill://refunds/none.md',
      7,
    ])
      await expect(ask('resources/read', { uri }, features)).rejects.toMatchObject({ code: -32602 })
  })
  test('S11: a template, and completion of its parts', async () => {
    const { resourceTemplates } = await ask('resources/templates/list', {}, features)
    expect(resourceTemplates[0].uriTemplate).toBe('skill://{name}/{+path}')
    const complete = (name: string, value: string, given?: object): Promise<any> =>
      ask(
        'completion/complete',
        {
          ref: { type: 'ref/resource', uri: 'skill://{name}/{+path}' },
          argument: { name, value },
          ...(given && { context: { arguments: given } }),
        },
        features,
      )
    expect((await complete('name', 're')).completion).toEqual({
      values: ['refunds'],
      total: 1,
      hasMore: false,
    })
    expect((await complete('path', 'data/', { name: 'refunds' })).completion.values).toEqual([
      'data/logo.png',
      'data/mail.md',
    ])
    expect((await complete('path', '')).completion.values).toEqual([])
    const other = { ref: { type: 'ref/resource', uri: 'file:///{x}' }, argument: { name: 'x', value: '' } }
    await expect(ask('completion/complete', other, features)).rejects.toMatchObject({ code: -32602 })
  })
})
