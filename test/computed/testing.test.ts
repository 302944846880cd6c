import type { SkillCatalog } from '@embed-skills/runtime'
import { createCatalog, joinSkills, ProtocolError } from '@embed-skills/runtime'
import type { FileContent } from '@embed-skills/runtime/define'
import { defineSkill, skillRoute } from '@embed-skills/runtime/define'
import { provider } from '@embed-skills/runtime/provider'
import { checkStable, contents } from '@embed-skills/runtime/testing'
import { describe, expect, test } from 'vitest'
import { connect, kinds, recorder, serve } from './support.ts'

const description = 'Does something. Use it.'
const stable = (file: FileContent) => defineSkill('a', { description }, { 'x.md': file }, { stable: true })

describe('contents', () => {
  test('P17: the files that a client would receive', async () => {
    const files = { 'SKILL.md': 'Body', 'Q&A 1.md': () => 'computed', 'b.bin': Uint8Array.of(0, 255) }
    const wanted = {
      'SKILL.md': `---\nname: "a"\ndescription: "${description}"\n---\nBody`,
      'Q&A 1.md': 'computed',
      'b.bin': Uint8Array.of(0, 255),
    }
    for (const options of [{ stable: true }, { stable: false }])
      expect(await contents(defineSkill('a', { description }, files, options))).toEqual(wanted)
  })

  test('P17: of a route and of a provider, for a caller', async () => {
    const route = skillRoute('users/:id/greeting', ({ id }, { authInfo }) =>
      authInfo?.extra?.['sub'] === id
        ? defineSkill('greeting', { description }, { 'x.md': `Hi ${id}` })
        : null,
    )
    const context = { authInfo: { extra: { sub: 'ada' } } }
    const files = await contents(route, { path: 'users/ada/greeting', context })
    expect(files['x.md']).toBe('Hi ada')
    await expect(contents(route, { path: 'users/ada/greeting' })).rejects.toThrow(
      'There is no skill "users/ada/greeting" for this caller',
    )
    await expect(contents(route)).rejects.toThrow('Say which skill')

    const uri = 'skill://p/SKILL.md'
    const source = provider({
      get: (asked) =>
        asked === uri ? { uri, frontmatter: { name: 'p', description }, resources: 'dynamic' } : null,
      read: (asked) => asked,
      readDirectory: (asked) =>
        asked === 'skill://p'
          ? [{ uri: `${asked}/d`, mimeType: 'inode/directory' }]
          : [{ uri: `${asked}/e.md` }],
    })
    expect(await contents(source, { path: 'p' })).toEqual({ 'SKILL.md': uri, 'd/e.md': 'skill://p/d/e.md' })
  })

  test.each<[string, () => string, number]>([
    ['the time', () => `x ${Date.now()}`, -1],
    ['the day', () => `ab ${new Date().toISOString().slice(0, 10)}`, -1],
    ['a date without new', () => `${Date}`.slice(0, 0) + (Date as unknown as () => string)(), -1],
    ['the time zone', () => `zone ${Intl.DateTimeFormat().resolvedOptions().timeZone}`, 5],
    ['the local hour', () => `${new Date(0).getHours()}:${new Date(0).getMinutes()}`, -1],
    ['a format of now', () => new Intl.DateTimeFormat('en', { timeZone: 'UTC' }).format(), -1],
    [
      'the parts of now',
      () => JSON.stringify(new Intl.DateTimeFormat('en', { timeZone: 'UTC' }).formatToParts()),
      -1,
    ],
    ['a locale string', () => new Date(1e12).toLocaleString('en'), -1],
    ['chance', () => `${Math.random()}`, -1],
    [
      'a counter',
      (() => {
        let count = 0
        return () => `n${count++}`
      })(),
      1,
    ],
  ])('P14, N15: what depends on %s is not stable, and the byte is named', async (_, render, offset) => {
    const error = await contents(stable(render)).catch((error: unknown) => error)
    expect(error).toMatchObject({
      name: 'UnstableSkillError',
      uri: 'skill://a/x.md',
      ...(offset >= 0 && { offset }),
      message: expect.stringMatching(/^skill:\/\/a\/x\.md is declared stable, but .* from byte \d+ on: /),
    })
  })

  test('clock and zone are as before afterwards, even if it throws', async () => {
    const { TZ } = process.env
    const RealDate = Date
    await expect(contents(stable(() => `${Date.now()}`))).rejects.toThrow('declared stable')
    await contents(stable(() => `${new Date(2020, 1, 1) instanceof Date} ${Date.UTC(2020)}`))
    expect(Date).toBe(RealDate)
    expect(new Intl.DateTimeFormat('en', { timeZone: 'UTC', dateStyle: 'short' }).format()).toBe(
      new Date().toLocaleDateString('en', { timeZone: 'UTC', dateStyle: 'short' }),
    )
    expect(process.env['TZ']).toBe(TZ)
  })

  test('a file that comes and goes is not stable', async () => {
    const route = skillRoute(
      'a',
      () =>
        defineSkill(
          'a',
          { description },
          { 'x.md': 'x', ...(Date.now() > Date.UTC(2027, 6) && { 'y.md': 'y' }) },
        ),
      { stable: true },
    )
    await expect(contents(route, { path: 'a' })).rejects.toThrow(
      'skill://a/y.md is in one render and not in another',
    )
  })
})

describe.each(kinds)('%s', (kind) => {
  test('N15: a dev server logs the first byte that differs, and serves all the same', async () => {
    const logger = recorder()
    const source = checkStable(
      joinSkills(
        stable(() => `now ${Date.now()}`),
        defineSkill('b', { description }, {}),
      ),
    )
    const { rpc } = await connect(serve(kind, source, { logger }))
    expect((await rpc('skills/get', { uri: 'skill://b/SKILL.md' })).result).toBeDefined()
    expect(logger.messages).toEqual([])
    expect((await rpc('skills/get', { uri: 'skill://a/SKILL.md' })).result.skill.resources).toHaveLength(2)
    expect(logger.messages.join()).toMatch(/skill:\/\/a\/x\.md is declared stable, but .* from byte \d+ on/)
  })

  test('N16: a catalog of one\u2019s own', async () => {
    const catalog: SkillCatalog = {
      cacheHints: { ttlMs: 7, cacheScope: 'public' },
      list: async () => ({
        skills: [
          { uri: 'skill://own/SKILL.md', frontmatter: { name: 'own', description }, resources: 'dynamic' },
        ],
      }),
      async get() {
        throw new ProtocolError(-32602, 'Mine')
      },
      read: async ({ uri }) => ({ contents: [{ uri: String(uri), text: 'mine' }] }),
      resources: async () => ({ resources: [] }),
    }
    expect(createCatalog(catalog)).toBe(catalog)
    const { client, reader, rpc } = await connect(serve(kind, catalog))
    expect((await reader.list()).skills[0]!.frontmatter.name).toBe('own')
    expect((await rpc('skills/get', { uri: 'skill://own/SKILL.md' })).error).toEqual({
      code: -32602,
      message: 'Mine',
    })
    expect((await rpc('resources/read', { uri: 'skill://own/SKILL.md' })).result).toMatchObject({
      contents: [{ text: 'mine' }],
      ttlMs: 7,
      cacheScope: 'public',
    })
    // It has no directories.
    expect((await rpc('resources/directory/read', { uri: 'skill://own' })).error?.code).toBe(-32601)
    const extension = client.getServerCapabilities()?.extensions?.['io.modelcontextprotocol/skills']
    expect(extension).toEqual({})
  })

  test('N13: page size and hints of computed skills', async () => {
    const skills = joinSkills(
      ...['a', 'b', 'c'].map((name) =>
        defineSkill(
          name,
          { description },
          { 'x.md': () => 'x' },
          { ttlMs: name === 'b' ? 10 : 99, cacheScope: 'public' },
        ),
      ),
    )
    const { rpc } = await connect(serve(kind, skills, { pageSize: 2 }))
    const first = (await rpc('skills/list')).result
    expect([first.skills.length, first.ttlMs, first.cacheScope]).toEqual([2, 10, 'public'])
    const second = (await rpc('skills/list', { cursor: first.nextCursor })).result
    // The hints are those of the page, not of what follows it.
    expect([second.skills.length, second.ttlMs, second.nextCursor]).toEqual([1, 99, undefined])
  })
})
