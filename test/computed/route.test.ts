import { createCatalog, joinSkills, skillUri } from '@embed-skills/runtime'
import { defineSkill, skillRoute } from '@embed-skills/runtime/define'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { connect, kinds, recorder, serve } from './support.ts'

const description = 'Review a study. Use when asked for a review.'
const studies: Record<string, string> = { '42': 'Sleep', '7': 'Diet' }

function review(calls: string[] = [], options = {}) {
  return skillRoute(
    'studies/:studyId/study-review',
    async ({ studyId }, { authInfo }) => {
      calls.push(studyId)
      if (!studies[studyId] || authInfo?.clientId === 'stranger') return null
      return defineSkill(
        'study-review',
        { description },
        {
          'SKILL.md': `# ${studies[studyId]}\n`,
          'data/title.txt': () => studies[studyId]!,
        },
      )
    },
    options,
  )
}

describe.each(kinds)('%s', (kind) => {
  test('P1, P2, P9: a skill for each record, by URI, with one call of the handler a request', async () => {
    const calls: string[] = []
    const { rpc, reader, close } = await connect(serve(kind, review(calls, { stable: true })))
    expect((await reader.list()).skills).toEqual([])
    expect(calls).toEqual([])

    const { skill } = await reader.get('skill://studies/42/study-review/SKILL.md')
    expect(calls.splice(0)).toEqual(['42'])
    const file = await reader.read(skill, 'skill://studies/42/study-review/data/title.txt')
    expect([file.verified, Buffer.from(file.bytes).toString()]).toEqual([true, 'Sleep'])
    expect(calls.splice(0)).toEqual(['42'])

    const { result } = await rpc('resources/directory/read', { uri: 'skill://studies/42/study-review' })
    expect(result.resources.map(({ name }: { name: string }) => name)).toEqual(['study-review', 'data'])
    expect(calls.splice(0)).toEqual(['42'])
    await close()
  })

  test('P16: skillUri names the skill that a route serves, and none that it does not', async () => {
    const path = 'studies/:id/:name'
    const route = skillRoute(path, ({ name }) => defineSkill(name, { description }, {}))
    const { reader } = await connect(serve(kind, route))
    for (const params of [
      { id: 'S-1.2_~', name: 'review' },
      { id: 7, name: 'a-b' },
    ]) {
      const uri = skillUri(path, params)
      expect((await reader.get(uri)).skill.uri).toBe(uri)
    }
    for (const params of [
      { id: 'S 1', name: 'review' },
      { id: '..', name: 'review' },
      { id: 'a', name: 'Review' },
    ])
      expect(() => skillUri(path, params)).toThrow('No route takes')
  })

  test('P3: routes stay out of the templates', async () => {
    const { rpc } = await connect(serve(kind, review()))
    expect((await rpc('resources/templates/list')).result.resourceTemplates).toEqual([])
  })

  test('P4: where a handler gives nothing there is nothing, for this caller', async () => {
    const server = serve(kind, review([], { stable: true }))
    const stranger = await connect(server, { authInfo: { clientId: 'stranger', token: 't', scopes: [] } })
    const friend = await connect(server, { authInfo: { clientId: 'friend', token: 't', scopes: [] } })
    const uri = 'skill://studies/42/study-review'
    for (const [method, params] of [
      ['skills/get', { uri: `${uri}/SKILL.md` }],
      ['resources/read', { uri: `${uri}/SKILL.md` }],
      ['resources/read', { uri: `${uri}/data/title.txt` }],
      ['resources/directory/read', { uri }],
    ] as const) {
      expect((await friend.rpc(method, params)).result).toBeDefined()
      const none = await stranger.rpc(method, { uri: params.uri.replace('42', '404') })
      expect(none.error?.code).toBe(-32602)
      const denied = await stranger.rpc(method, params)
      expect(JSON.stringify(denied).replaceAll('/42/', '/404/')).toBe(JSON.stringify(none))
    }
  })

  test('a route without params is listed, and is nothing where the handler gives nothing', async () => {
    const route = skillRoute('status', (_, { authInfo }) =>
      authInfo ? defineSkill('status', { description }, {}) : undefined,
    )
    const server = serve(kind, route)
    const known = await connect(server, { authInfo: { clientId: 'a', token: 't', scopes: [] } })
    expect((await known.reader.list()).skills).toEqual([
      { uri: 'skill://status/SKILL.md', frontmatter: { name: 'status', description }, resources: 'dynamic' },
    ])
    expect((await (await connect(server)).reader.list()).skills).toEqual([])
  })

  test.each([
    'skill://studies/..%2f42/study-review/SKILL.md',
    'skill://studies/%2e%2e/study-review/SKILL.md',
    'skill://studies/42%00/study-review/SKILL.md',
    'skill://studies/a%20b/study-review/SKILL.md',
    'skill://studies/%252e/study-review/SKILL.md',
    'skill://studies/42/study-review/../study-review/SKILL.md',
    'skill://studies//study-review/SKILL.md',
    'skill://studies/42/study-review/SKILL.md?x=1',
    'skill://studies/42/study-review/',
    'skill://studies/42/Study-Review/SKILL.md',
  ])('%s never reaches the handler', async (uri) => {
    const calls: string[] = []
    const { rpc } = await connect(serve(kind, review(calls)))
    for (const method of ['skills/get', 'resources/read', 'resources/directory/read'])
      expect((await rpc(method, { uri })).error?.code).toBe(-32602)
    expect(calls).toEqual([])
  })

  test('what is no skill of this path fails without details', async () => {
    const logger = recorder()
    const { rpc } = await connect(
      serve(
        kind,
        joinSkills(
          skillRoute('a', () => ({ uri: 'x' }) as never),
          skillRoute('b', () => defineSkill('c', { description }, {})),
        ),
        { logger },
      ),
    )
    for (const name of ['a', 'b'])
      expect(await rpc('skills/get', { uri: `skill://${name}/SKILL.md` })).toEqual({
        error: { code: -32603, message: 'Internal error' },
      })
    expect(logger.messages).toEqual([
      'error: embed-skills: the route a gave what is neither null nor a defined skill',
      'error: embed-skills: the route b gave "c" at skill://b',
    ])
  })

  test('a handler that never answers is told to stop, and costs its own request alone', async () => {
    const logger = recorder()
    let aborted = false
    const stuck = skillRoute(
      'stuck',
      (_, { signal }) =>
        new Promise<never>(() => {
          signal!.addEventListener('abort', () => (aborted = true))
        }),
      { timeoutMs: 10 },
    )
    const { reader } = await connect(
      serve(kind, joinSkills(stuck, defineSkill('fine', { description }, {})), { logger }),
    )
    expect((await reader.list()).skills.map(({ uri }) => uri)).toEqual(['skill://fine/SKILL.md'])
    expect(aborted).toBe(true)
    expect(String(logger.causes[0])).toContain('No answer in 10 ms')
  })
})

test('renders at once are bounded', async () => {
  let running = 0
  let most = 0
  const file = async (): Promise<string> => {
    most = Math.max(most, ++running)
    await Promise.resolve()
    running--
    return 'x'
  }
  const files = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${index}.md`, file]))
  const skills = joinSkills(
    ...['a', 'b', 'c'].map((name) => defineSkill(name, { description }, files, { stable: true })),
  )
  const catalog = createCatalog(skills, { concurrency: 3 })
  await Promise.all([catalog.list({}, {}), catalog.list({}, {})])
  expect(most).toBe(3)
})

test('an abort reaches the handler, and is not logged', async () => {
  const logger = recorder()
  const controller = new AbortController()
  let start = (_: AbortSignal): void => {}
  const started = new Promise<AbortSignal>((resolve) => (start = resolve))
  const route = skillRoute('stuck', (_, { signal }) => {
    start(signal!)
    return new Promise<never>(() => {})
  })
  const answer = createCatalog(route, { logger }).get(
    { uri: 'skill://stuck/SKILL.md' },
    { signal: controller.signal },
  )
  const signal = await started
  controller.abort()
  await expect(answer).rejects.toMatchObject({ code: -32603 })
  expect(signal.aborted).toBe(true)
  expect(logger.messages).toEqual([])
})

test('params are typed by the path', () => {
  skillRoute('a/:x/b/:why', (params) => {
    expectTypeOf(params).toEqualTypeOf<{ readonly x: string } & { readonly why: string }>()
    return null
  })
})

test.each([':a/b', 'a/:/b', 'a/:x/:x', 'a/:x-y/b', 'a/B', 'a//b', 'a/../b'])(
  'the route %j is refused',
  (path) => {
    expect(() => skillRoute(path, () => null)).toThrow(TypeError)
  },
)
