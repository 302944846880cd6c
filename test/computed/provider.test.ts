import { createHash } from 'node:crypto'
import { createCatalog, joinSkills } from '@embed-skills/runtime'
import type { DefinedSkill } from '@embed-skills/runtime/define'
import { defineSkill } from '@embed-skills/runtime/define'
import type {
  PageRequest,
  ProvidedResource,
  ProvidedSkill,
  SkillProvider,
} from '@embed-skills/runtime/provider'
import { listSkills, provider } from '@embed-skills/runtime/provider'
import { describe, expect, test } from 'vitest'
import { connect, kinds, recorder, serve } from './support.ts'

const description = 'Summarise a report. Use for quarterly reports.'
const failed = { error: { code: -32603, message: 'Internal error' } }

const skillMd = (name: string): string => `---\nname: ${name}\ndescription: ${description}\n---\n# ${name}\n`
const row = (uri: string, content: string) => ({
  uri,
  size: Buffer.byteLength(content),
  digest: `sha256:${createHash('sha256').update(content).digest('hex')}`,
})

const dynamic = (name: string): ProvidedSkill => ({
  uri: `skill://reports/${name}/SKILL.md`,
  frontmatter: { name, description },
  resources: 'dynamic',
})
const fixed = (name: string): ProvidedSkill => ({
  ...dynamic(name),
  resources: [
    row(`skill://reports/${name}/SKILL.md`, skillMd(name)),
    row(`skill://reports/${name}/data/a.csv`, 'a,b\n'),
  ],
})

/** Two skills: `live` is dynamic, `q3` has a manifest. */
function reports(changed: Partial<SkillProvider> = {}, calls: string[] = []): SkillProvider {
  const skills = [dynamic('live'), fixed('q3')]
  return {
    list: ({ after, limit }) => skills.filter(({ uri }) => uri > after).slice(0, limit),
    get(uri) {
      calls.push(`get ${uri}`)
      return skills.find((skill) => skill.uri === uri)
    },
    read(uri) {
      calls.push(`read ${uri}`)
      if (uri.endsWith('/SKILL.md')) return skillMd(uri.split('/').at(-2)!)
      return uri.endsWith('.csv') ? 'a,b\n' : null
    },
    readDirectory(uri) {
      calls.push(`readDirectory ${uri}`)
      if (uri === 'skill://reports/live') return [{ uri: `${uri}/data`, mimeType: 'inode/directory' }]
      return uri === 'skill://reports/live/data' ? [{ uri: `${uri}/a.csv`, size: 4 }] : null
    },
    ...changed,
  }
}

describe.each(kinds)('%s', (kind) => {
  test.each(['auto', 'legacy'] as const)(
    'A1, N14, N15: listed, read and verified; the owner is confirmed before a file is read (%s)',
    async (mode) => {
      const calls: string[] = []
      const { reader, rpc, readAll, close } = await connect(serve(kind, provider(reports({}, calls))), {
        mode,
      })
      expect((await reader.list()).skills.map(({ uri }) => uri)).toEqual([
        'skill://reports/live/SKILL.md',
        'skill://reports/q3/SKILL.md',
      ])
      expect(calls).toEqual([])
      expect(Object.values(await readAll())).toEqual([{ 'SKILL.md': skillMd('q3'), 'data/a.csv': 'a,b\n' }])
      calls.length = 0
      await rpc('resources/read', { uri: 'skill://reports/live/data/a.csv' })
      // The innermost skill would own it.
      expect(calls).toEqual([
        'get skill://reports/live/data/SKILL.md',
        'get skill://reports/live/SKILL.md',
        'read skill://reports/live/data/a.csv',
      ])
      calls.length = 0
      // Nobody owns these, or the manifest does not list them: no file is asked for.
      for (const uri of ['skill://other/x/a.md', 'skill://reports/q3/data/b.csv', 'skill://reports/q3/data'])
        expect((await rpc('resources/read', { uri })).error?.code).toBe(-32602)
      expect(calls.filter((call) => call.startsWith('read '))).toEqual([])
      await close()
    },
  )

  test('A1: folders of a manifest are computed, those of a dynamic skill asked for', async () => {
    const calls: string[] = []
    const { rpc } = await connect(serve(kind, provider(reports({}, calls))))
    const children = async (uri: string) =>
      (await rpc('resources/directory/read', { uri })).result.resources.map(
        (child: { uri: string; mimeType: string; size?: number }) =>
          [child.uri.slice(uri.length + 1), child.mimeType, child.size].join(' ').trim(),
      )
    expect(await children('skill://reports/q3')).toEqual([
      `SKILL.md text/markdown ${skillMd('q3').length}`,
      'data inode/directory',
    ])
    expect(await children('skill://reports/q3/data')).toEqual(['a.csv text/csv 4'])
    expect(calls.filter((call) => call.startsWith('readDirectory'))).toEqual([])
    expect(await children('skill://reports/live')).toEqual(['SKILL.md text/markdown', 'data inode/directory'])
    expect(await children('skill://reports/live/data')).toEqual(['a.csv text/csv 4'])
    for (const uri of ['skill://reports', 'skill://reports/q3/', 'skill://reports/live/none'])
      expect((await rpc('resources/directory/read', { uri })).error?.code).toBe(-32602)
  })

  test('A8: SKILL.md and declared folders are added, and may not be repeated', async () => {
    const get = (uri: string) =>
      uri === 'skill://a/SKILL.md'
        ? ({
            uri,
            frontmatter: { name: 'a', description },
            resources: 'dynamic',
            directories: ['x/empty'],
          } as const)
        : null
    const children = [{ uri: 'skill://a/y.md' }]
    const { rpc } = await connect(serve(kind, provider({ get, readDirectory: () => children })))
    const { result } = await rpc('resources/directory/read', { uri: 'skill://a' })
    expect(result.resources.map(({ name }: { name: string }) => name)).toEqual(['a', 'x', 'y.md'])
    children[0] = { uri: 'skill://a/SKILL.md' }
    expect(await rpc('resources/directory/read', { uri: 'skill://a' })).toEqual(failed)
  })

  test('N14: in a join it is asked only for what lies in no other skill', async () => {
    const calls: string[] = []
    const own = defineSkill('reports/q3', { description }, { 'a.md': 'mine' })
    const { rpc, reader } = await connect(serve(kind, joinSkills(provider(reports({}, calls)), own)))
    const { skill } = await reader.get('skill://reports/q3/SKILL.md')
    expect(skill.resources).toHaveLength(2)
    expect((await rpc('resources/read', { uri: 'skill://reports/q3/data/a.csv' })).error?.code).toBe(-32602)
    await rpc('resources/directory/read', { uri: 'skill://reports/q3' })
    expect(calls).toEqual([])
    // Nor is its own idea of that skill listed.
    const { skills } = await reader.list()
    expect(skills.map(({ uri, resources }) => [uri, resources.length])).toEqual([
      ['skill://reports/live/SKILL.md', 'dynamic'.length],
      ['skill://reports/q3/SKILL.md', 2],
    ])
  })

  test('N14: a skill that is defined in code brings its files', async () => {
    const source = provider({
      get: (uri) =>
        uri === 'skill://users/ada/SKILL.md'
          ? defineSkill('users/ada', { description }, { 'a.md': () => 'Ada' }, { stable: true })
          : undefined,
      readDirectory: () => null,
    })
    const { reader } = await connect(serve(kind, source))
    const { skill } = await reader.get('skill://users/ada/SKILL.md')
    const file = await reader.read(skill, 'skill://users/ada/a.md')
    expect([Buffer.from(file.bytes).toString(), file.verified]).toEqual(['Ada', true])
  })

  test.each(['after', 'offset', 'cursor'] as const)(
    'A1: ten thousand skills page through by %s, a page at a time, on another instance as well',
    async (paging) => {
      let most = 0
      let calls = 0
      const make = (index: number): ProvidedSkill => dynamic(`r${String(index).padStart(5, '0')}`)
      const list = ({ after, offset, cursor, limit }: PageRequest) => {
        calls++
        most = Math.max(most, limit)
        const [, seen = '-1'] = /r(\d+)/.exec(after) ?? []
        const start =
          paging === 'after' ? Number(seen) + 1 : paging === 'offset' ? offset : Number(cursor ?? 0)
        const length = Math.max(0, Math.min(limit, 10_000 - start))
        const skills = Array.from({ length }, (_, index) => make(start + index))
        const next = start + length
        return { skills, nextCursor: next < 10_000 ? String(next) : undefined }
      }
      const source = provider({ list, get: () => null, readDirectory: () => null }, { paging })
      const { rpc } = await connect(serve(kind, source, { pageSize: 500 }))
      const seen = new Set<string>()
      let cursor: string | undefined
      do {
        const { result } = await rpc('skills/list', cursor === undefined ? {} : { cursor })
        for (const { uri } of result.skills) seen.add(uri)
        cursor = result.nextCursor
      } while (cursor)
      expect(seen.size).toBe(10_000)
      // Never more than a page is asked for, and seldom more than once.
      expect(most).toBeLessThanOrEqual(502)
      expect(calls).toBeLessThanOrEqual(45)

      // On another instance, as after a deploy, the walk goes on in the middle.
      calls = 0
      const other = await connect(
        serve(kind, provider({ list, get: () => null, readDirectory: () => null }, { paging }), {
          pageSize: 500,
        }),
      )
      const { result } = await other.rpc('skills/list', { cursor: 'skill://reports/r07499/SKILL.md' })
      expect(result.skills[0].uri).toBe('skill://reports/r07500/SKILL.md')
      expect(result.skills).toHaveLength(500)
      expect(calls).toBeLessThanOrEqual(paging === 'after' ? 1 : 30)
    },
  )
})

describe.each(kinds)('hostile answers fail closed, %s', (kind) => {
  const get = (skill: unknown): Partial<SkillProvider> => ({ get: () => skill as never })
  const uri = 'skill://reports/live/SKILL.md'
  const REQUESTS = {
    list: ['skills/list', {}],
    get: ['skills/get', { uri }],
    read: ['resources/read', { uri }],
    readDirectory: ['resources/directory/read', { uri: 'skill://reports/live' }],
  } as const
  const manifest = (...rows: object[]) => ({
    ...dynamic('live'),
    resources: [row(uri, skillMd('live')), ...rows],
  })
  const file = (below: string) => row(`skill://reports/live/${below}`, 'x')

  test.each<[string, unknown]>([
    ['no object', 'skill'],
    ['another skill', dynamic('other')],
    ['no frontmatter', { uri, resources: 'dynamic' }],
    ['another name', { ...dynamic('live'), frontmatter: { name: 'other', description } }],
    ['no description', { ...dynamic('live'), frontmatter: { name: 'live' } }],
    [
      'a function in the frontmatter',
      { ...dynamic('live'), frontmatter: { name: 'live', description, x: () => 1 } },
    ],
    ['no resources', { uri, frontmatter: { name: 'live', description } }],
    ['resources without SKILL.md', { ...dynamic('live'), resources: [file('a.md')] }],
    ['a file above', manifest(file('../q3/a.md'))],
    ['a file above, encoded', manifest(file('%2e%2e/a.md'))],
    ['a file above, encoded twice and decoded once', manifest(file('..%2fa.md'))],
    ['another spelling', manifest(file('%61.md'))],
    ['a file elsewhere', manifest(row('skill://reports/q3/a.md', 'x'))],
    ['a sibling with the same beginning', manifest(row('skill://reports/live-2/a.md', 'x'))],
    ['a file of another scheme', manifest(row('file:///etc/passwd', 'x'))],
    ['the same file twice', manifest(file('a.md'), file('a.md'))],
    ['a file where another needs a folder', manifest(file('a'), file('a/b'))],
    ['no digest', manifest({ ...file('a.md'), digest: 'md5:0' })],
    ['a negative size', manifest({ ...file('a.md'), size: -1 })],
    ['a size that is no number', manifest({ ...file('a.md'), size: '1' })],
    ['an endless size', manifest({ ...file('a.md'), size: Infinity })],
    ['a folder above', { ...dynamic('live'), directories: ['../x'] }],
  ])('of get: %s', async (_, skill) => {
    const logger = recorder()
    const { rpc } = await connect(serve(kind, provider(reports(get(skill))), { logger }))
    expect(await rpc('skills/get', { uri })).toEqual(failed)
    expect(await rpc('resources/read', { uri })).toEqual(failed)
    expect(await rpc('resources/directory/read', { uri: 'skill://reports/live' })).toEqual(failed)
    expect(logger.messages.length).toBeGreaterThan(0)
  })

  test.each<[string, unknown]>([
    ['no page', 'page'],
    ['null', null],
    ['a page without skills', {}],
    ['more than were asked for', Array.from({ length: 103 }, (_, index) => dynamic(`r${1000 + index}`))],
    ['a million', { skills: Array.from({ length: 1e6 }) }],
    ['in another order', [dynamic('b'), dynamic('a')]],
    ['the same twice', [dynamic('a'), dynamic('a')]],
    ['a hole', [undefined]],
    ['a URI that is none', [{ ...dynamic('a'), uri: 'skill://reports/../a/SKILL.md' }]],
    ['a URI of a file', [{ ...dynamic('a'), uri: 'skill://reports/a/x.md' }]],
    ['a skill that cannot be served', [{ ...dynamic('a'), resources: 1 }]],
  ])('of list: %s', async (_, page) => {
    const logger = recorder()
    const source = provider(reports({ list: () => page as never }))
    const { rpc } = await connect(serve(kind, source, { logger }))
    expect(await rpc('skills/list')).toEqual(failed)
    expect(await rpc('resources/list')).toEqual(failed)
    expect(logger.messages).toHaveLength(2)
  })

  test.each<[string, unknown]>([
    ['no array', {}],
    ['a grandchild', [{ uri: 'skill://reports/live/x/y' }]],
    ['the folder itself', [{ uri: 'skill://reports/live' }]],
    ['a trailing slash', [{ uri: 'skill://reports/live/x/' }]],
    ['another skill', [{ uri: 'skill://reports/q3/x' }]],
    ['dot segments', [{ uri: 'skill://reports/live/../x' }]],
    ['an encoded dot segment', [{ uri: 'skill://reports/live/%2e%2e' }]],
    ['an encoded slash', [{ uri: 'skill://reports/live/a%2fb' }]],
    ['the same twice', [{ uri: 'skill://reports/live/x' }, { uri: 'skill://reports/live/x' }]],
    ['a bad size', [{ uri: 'skill://reports/live/x', size: 1.5 }]],
    ['a bad type', [{ uri: 'skill://reports/live/x', mimeType: 'text' }]],
    ['a hole', [null]],
    ['too many', Array.from({ length: 10_001 }, (_, index) => ({ uri: `skill://reports/live/${index}` }))],
  ])('of readDirectory: %s', async (_, children) => {
    const source = provider(reports({ readDirectory: () => children as never }))
    const { rpc } = await connect(serve(kind, source, { logger: recorder() }))
    expect(await rpc('resources/directory/read', { uri: 'skill://reports/live' })).toEqual(failed)
  })

  test.each<[string, unknown]>([
    ['a number', 1],
    ['half of a surrogate pair', '\ud800'],
    ['a SKILL.md that is no UTF-8', Uint8Array.of(0xff)],
    ['a SKILL.md with NUL', '\0'],
    ['a bad type', { content: 'x', mimeType: 'text' }],
    ['nothing where there must be something', null],
  ])('of read: %s', async (_, content) => {
    const source = provider(reports({ read: () => content as never }))
    const { rpc } = await connect(serve(kind, source, { logger: recorder() }))
    expect(await rpc('resources/read', { uri })).toEqual(failed)
  })

  test('of read: other bytes than the manifest says', async () => {
    const logger = recorder()
    const source = provider(reports({ read: () => 'a;b\n' }))
    const { rpc } = await connect(serve(kind, source, { logger }))
    expect(await rpc('resources/read', { uri: 'skill://reports/q3/data/a.csv' })).toEqual(failed)
    expect(logger.messages[0]).toContain('other bytes than its manifest says')
  })

  test.each(['list', 'get', 'read', 'readDirectory'] as const)(
    'of %s: an error with secrets, even one that looks like ours',
    async (method) => {
      const logger = recorder()
      const error = Object.assign(new Error('password is hunter2'), { code: -32602, data: 'secret' })
      const source = provider(
        reports({
          [method]: () => {
            throw error
          },
        }),
      )
      const { rpc } = await connect(serve(kind, source, { logger }))
      const [name, params] = REQUESTS[method]
      expect(await rpc(name, params)).toEqual(failed)
      expect(logger.causes).toEqual([error])
    },
  )

  test.each(['list', 'get', 'read', 'readDirectory'] as const)('of %s: none at all', async (method) => {
    const logger = recorder()
    let stopped = false
    const never = (...given: unknown[]) =>
      new Promise<never>(() => {
        const { signal } = given.at(-1) as { signal: AbortSignal }
        signal.addEventListener('abort', () => (stopped = true))
      })
    const source = provider(reports({ [method]: never }), { timeoutMs: 10 })
    const { rpc } = await connect(serve(kind, source, { logger }))
    const [name, params] = REQUESTS[method]
    expect(await rpc(name, params)).toEqual(failed)
    expect(stopped).toBe(true)
    expect(String(logger.causes[0])).toContain('No answer in 10 ms')
  })

  test('cursors that lead nowhere, and a skill at every offset', async () => {
    const logger = recorder()
    const bad: [SkillProvider['list'], 'cursor' | 'offset'][] = [
      [() => ({ skills: [], nextCursor: 'same' }), 'cursor'],
      [({ cursor }) => ({ skills: [], nextCursor: `${cursor}x` }), 'cursor'],
      [() => [dynamic('a')], 'offset'],
    ]
    for (const [list, paging] of bad) {
      const source = provider(reports({ list: list! }), { paging })
      const { rpc } = await connect(serve(kind, source, { logger }))
      expect(await rpc('skills/list', { cursor: 'skill://reports/z/SKILL.md' })).toEqual(failed)
    }
  })

  test('a URI of a thousand segments asks for few skills', async () => {
    const calls: string[] = []
    const { rpc } = await connect(serve(kind, provider(reports({}, calls))))
    await rpc('resources/read', { uri: `skill://${'a/'.repeat(1000)}x` })
    expect(calls.length).toBeLessThanOrEqual(16)
  })
})

test('A8, A1: a provider without readDirectory is refused where directory reads are advertised', () => {
  const { readDirectory: _, ...rest } = reports()
  expect(() => createCatalog(provider(rest))).toThrow('has no readDirectory')
  expect(() => createCatalog(joinSkills(provider(rest), defineSkill('a', { description }, {})))).toThrow(
    'has no readDirectory',
  )
  expect(createCatalog(provider(rest), { directoryRead: false })).not.toHaveProperty('readDirectory')
  expect(createCatalog(provider(rest, { dynamic: false }))).toHaveProperty('readDirectory')
})

test('N10: entries beyond what every host accepts are served, with one warning each', async () => {
  const logger = recorder()
  const uri = 'skill://reports/q3/SKILL.md'
  const { resources, ...entry } = fixed('q3')
  const large = row('skill://reports/q3/video.mp4', 'x')
  const skills: Record<string, ProvidedSkill['resources']> = {
    fits: [...(resources as ProvidedResource[]), { ...large, size: 2 ** 24 - 1000 }],
    'too large': [...(resources as ProvidedResource[]), { ...large, size: 2 ** 24 }],
    'too many': [
      ...(resources as ProvidedResource[]),
      ...Array.from({ length: 511 }, (_, index) => row(`skill://reports/q3/${index}.md`, 'x')),
    ],
  }
  for (const [what, files] of Object.entries(skills)) {
    const source = provider(reports({ list: () => [], get: () => ({ ...entry, resources: files }) }))
    const { rpc } = await connect(serve('official v2', source, { logger }))
    for (let time = 0; time < 2; time++)
      expect((await rpc('skills/get', { uri })).result.skill.resources).toHaveLength(files.length)
    const warning = /^warn: embed-skills: skill:\/\/reports\/q3\/SKILL\.md holds \d+ files and \d+ bytes/
    const said = logger.messages.splice(0)
    expect(said).toHaveLength(what === 'fits' ? 0 : 1)
    expect(said.filter((message) => !warning.test(message))).toEqual([])
  }
})

test('N15: a defined skill of a provider may change with its version, and is logged if it does without', async () => {
  const logger = recorder()
  let [text, version] = ['1', '1']
  const get = (): DefinedSkill =>
    defineSkill('a', { description }, { 'x.md': () => text }, { stable: true, version: () => version })
  const { rpc } = await connect(serve('serveSkills', provider({ get }, { dynamic: false }), { logger }))
  await rpc('skills/get', { uri: 'skill://a/SKILL.md' })
  text = version = '2'
  await rpc('resources/read', { uri: 'skill://a/x.md' })
  expect(logger.messages).toEqual([])
  await rpc('skills/get', { uri: 'skill://a/SKILL.md' })
  text = '3'
  await rpc('resources/read', { uri: 'skill://a/x.md' })
  expect(logger.messages).toEqual([
    expect.stringContaining('its bytes are others than when they were listed'),
  ])
})

test('P11: a skill of a provider that cannot be rendered is left out, and pages are as full as ever', async () => {
  const logger = recorder()
  const skills = ['a', 'bad-1', 'bad-2', 'bad-3', 'c', 'd', 'e'].map((name) =>
    defineSkill(
      name,
      { description },
      { 'x.md': () => (name.startsWith('bad') ? Promise.reject(new Error('x')) : name) },
      { stable: true, ttlMs: 1000, cacheScope: 'public' },
    ),
  )
  const source = provider(
    {
      list: ({ after, limit }) => skills.filter(({ uri }) => uri > after).slice(0, limit),
      get: (uri) => skills.find((skill) => skill.uri === uri),
    },
    { dynamic: false, ttlMs: 1000, cacheScope: 'public' },
  )
  const { rpc } = await connect(serve('serveSkills', source, { logger, pageSize: 2 }))
  const names = ({ skills }: { skills: { frontmatter: { name: string } }[] }): string[] =>
    skills.map(({ frontmatter }) => frontmatter.name)
  const { result } = await rpc('skills/list')
  expect(names(result)).toEqual(['a', 'c'])
  expect([result.ttlMs, result.cacheScope]).toEqual([0, 'private'])
  const second = (await rpc('skills/list', { cursor: result.nextCursor })).result
  expect(names(second)).toEqual(['d', 'e'])
  expect(second).not.toHaveProperty('nextCursor')
  expect(logger.messages).toHaveLength(3)
})

test('A6: binary files are denied by type and by bytes', async () => {
  const source = provider(
    reports({
      read: (uri) =>
        uri.endsWith('SKILL.md')
          ? skillMd('live')
          : uri.endsWith('.bin')
            ? 'plain ASCII'
            : uri.endsWith('.txt')
              ? Uint8Array.of(0xff)
              : 'text',
    }),
    { binary: false },
  )
  const { rpc } = await connect(serve('serveSkills', source, { logger: recorder() }))
  const read = (name: string) => rpc('resources/read', { uri: `skill://reports/live/${name}` })
  expect((await read('SKILL.md')).result).toBeDefined()
  expect((await read('a.md')).result).toBeDefined()
  expect(await read('a.bin')).toEqual(failed)
  expect(await read('a.txt')).toEqual(failed)
})

describe.each(kinds)('listings of the app, %s', (kind) => {
  test('P10: its URIs in its order and pages; what serves nothing to this caller is left out', async () => {
    const cursors: unknown[] = []
    const skills = joinSkills(
      provider(reports()),
      defineSkill('hidden', { description }, {}),
      defineSkill('shown', { description }, {}),
    )
    const catalog = listSkills(skills, (cursor) => {
      cursors.push(cursor)
      if (cursor === undefined)
        return { uris: ['skill://shown/SKILL.md', 'skill://gone/SKILL.md'], nextCursor: 'n\u00e4chste/2' }
      return { uris: ['skill://reports/q3/SKILL.md'] }
    })
    const { reader, rpc } = await connect(serve(kind, catalog))
    expect((await reader.list()).skills.map(({ uri }) => uri)).toEqual([
      'skill://shown/SKILL.md',
      'skill://reports/q3/SKILL.md',
    ])
    expect(cursors).toEqual([undefined, 'n\u00e4chste/2'])
    // What is not listed is served all the same.
    expect((await reader.get('skill://hidden/SKILL.md')).skill.uri).toBe('skill://hidden/SKILL.md')
    const first = await rpc('resources/list')
    expect(first.result.resources.map(({ uri }: { uri: string }) => uri)).toEqual(['skill://shown/SKILL.md'])
    const second = await rpc('resources/list', { cursor: first.result.nextCursor })
    expect(second.result.resources.map(({ uri }: { uri: string }) => uri)).toEqual([
      'skill://reports/q3/SKILL.md',
    ])
    for (const cursor of ['skill:', 'skill:!', 'skill://a/SKILL.md', 'skill:_w'])
      expect((await rpc('skills/list', { cursor })).error).toEqual({
        code: -32602,
        message: 'Invalid cursor',
      })
  })

  test('P13: public only if all of it is and every URI was served', async () => {
    const hints = { ttlMs: 1000, cacheScope: 'public' } as const
    const skills = joinSkills(defineSkill('a', { description }, {}), provider(reports()))
    const ask = async (...names: string[]) => {
      const catalog = listSkills(
        skills,
        () => ({ uris: names.map((name) => `skill://${name}/SKILL.md`) }),
        hints,
      )
      const { result } = await (await connect(serve(kind, catalog))).rpc('skills/list')
      return `${result.ttlMs} ${result.cacheScope}`
    }
    expect(await ask('a')).toBe('1000 public')
    expect(await ask('a', 'gone')).toBe('0 private')
    expect(await ask('a', 'reports/q3')).toBe('0 private')
    expect(await ask()).toBe('0 private')
  })

  test.each<[string, unknown]>([
    ['no page', undefined],
    ['no URIs', { uris: 'x' }],
    ['a bad URI', { uris: ['skill://a'] }],
    ['a URI twice', { uris: ['skill://a/SKILL.md', 'skill://a/SKILL.md'] }],
    ['a bad cursor', { uris: [], nextCursor: 1 }],
    ['a huge page', { uris: Array.from({ length: 1001 }, (_, index) => `skill://a${index}/SKILL.md`) }],
  ])('P10: %s fails closed', async (_, page) => {
    const logger = recorder()
    const catalog = listSkills(defineSkill('a', { description }, {}), () => page as never, { logger })
    const { rpc } = await connect(serve(kind, catalog))
    expect(await rpc('skills/list')).toEqual(failed)
    expect(logger.messages).toHaveLength(1)
  })
})
