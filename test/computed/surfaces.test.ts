import type { SkillSource } from '@embed-skills/runtime'
import { joinSkills } from '@embed-skills/runtime'
import { allowSkills, authorize, requiredScopes } from '@embed-skills/runtime/access'
import { defineSkill, skillRoute } from '@embed-skills/runtime/define'
import type { ProvidedSkill } from '@embed-skills/runtime/provider'
import { provider } from '@embed-skills/runtime/provider'
import { listing, manifests, prompts, tools } from '@embed-skills/runtime/tools'
import { describe, expect, test } from 'vitest'
import type { TestOptions, TestServer } from './support.ts'
import { connect, exchange, kinds, recorder, serve } from './support.ts'

const description = 'Does something. Use it.'
const caller = (scopes: string[], sub = 'x') => ({ token: 't', clientId: 'c', scopes, extra: { sub } })
type Caller = ReturnType<typeof caller>

const kept = { ttlMs: 9000, cacheScope: 'public' } as const
const fails = () => Promise.reject(new Error('hunter2'))
const code = (path: string) =>
  defineSkill(path, { description }, { 'a/b.md': () => path, 'c.md': 'c' }, { ...kept, stable: false })
const stable = (path: string) =>
  defineSkill(path, { description }, { 'a/b.md': () => path }, { ...kept, stable: true })
const broken = (path: string) =>
  defineSkill(path, { description }, { 'x.md': fails }, { ...kept, stable: true })

const isSecret = (text: string): boolean => text.includes('secret')

/** Sources by name, of every kind: those whose name is secret hold what some may not have. */
const SOURCES: Record<string, () => SkillSource> = {
  a: () => code('a'),
  b: () => stable('b'),
  route: () => skillRoute('route', () => stable('route')),
  secretCode: () => code('a-secret'),
  secretStable: () => stable('team/secret-b'),
  // Under a rule of its own, since files that an outer skill lists are that skill's too.
  secretNested: () => authorize(stable('b/secret-in'), (_, { authInfo }) => mayHaveSecrets(authInfo)),
  secretRoute: () => skillRoute('secret-route', () => stable('secret-route')),
  secretNothing: () => skillRoute('secret-nothing', () => null),
  secretFailing: () => skillRoute('secret-failing', fails),
  secretBroken: () => broken('secret-broken'),
}

/** The entry of a skill that a provider describes by its digests (which nobody checks here). */
const entry = (path: string, files: readonly string[] = ['a/b.md']): ProvidedSkill => ({
  uri: `skill://${path}/SKILL.md`,
  frontmatter: { name: path.split('/').at(-1)!, description },
  resources: ['SKILL.md', ...files].map((file) => ({
    uri: `skill://${path}/${file}`,
    digest: `sha256:${'0'.repeat(64)}`,
    size: 1,
  })),
  ...kept,
})

function provided(secrets: boolean): SkillSource {
  const skills = [
    code('provided/p1'),
    entry('provided/p3'),
    entry('provided/p3/secret-in'),
    code('provided/p5'),
    code('provided/secret-p2'),
    broken('provided/secret-p4'),
    entry('provided/secret-p6'),
  ]
    .filter(({ uri }) => secrets || !isSecret(uri))
    .sort((a, b) => (a.uri < b.uri ? -1 : 1))
  return provider(
    {
      list: ({ after, limit }) => skills.filter(({ uri }) => uri > after).slice(0, limit),
      get: (uri) => skills.find((skill) => skill.uri === uri),
      read: () => 'x',
      readDirectory: () => null,
    },
    kept,
  )
}

function everything(secrets: boolean): SkillSource {
  const names = Object.keys(SOURCES).filter((name) => secrets || !isSecret(name))
  return joinSkills(
    ...names.map((name) => SOURCES[name]!()),
    skillRoute('records/:id/review', ({ id }) =>
      (secrets || !isSecret(id)) && id.length < 20 ? code('review') : null,
    ),
    provided(secrets),
  )
}

const mayHaveSecrets = (authInfo: { readonly scopes?: readonly string[] } | undefined): boolean =>
  authInfo?.scopes?.includes('secret') ?? false

/** Three ways to say the same. */
const RULES: Record<string, (secrets: boolean) => SkillSource> = {
  authorize: (secrets) =>
    authorize(everything(secrets), ({ uri }, { authInfo }) => !isSecret(uri) || mayHaveSecrets(authInfo)),
  requiredScopes: (secrets) => {
    const source = everything(secrets)
    const closed = requiredScopes(source, ['secret'])
    return authorize(
      source,
      async ({ uri }, context) => !isSecret(uri) || (await closed.get(uri, context)) !== undefined,
    )
  },
  allowSkills: (secrets) =>
    allowSkills(everything(secrets), ({ authInfo }) => [
      ...OPEN,
      ...(mayHaveSecrets(authInfo) ? SECRET : []),
    ]),
}

const OPEN = ['a', 'route', 'records/7/review', 'provided/p1', 'provided/p5']
const SECRET = ['a-secret', 'team/secret-b', 'b', 'secret-route', 'provided/secret-p2', 'provided/p3']

const PATHS = [
  'a',
  'b',
  'b/secret-in',
  'a-secret',
  'team/secret-b',
  'route',
  'secret-route',
  'secret-nothing',
  'secret-failing',
  'secret-broken',
  'records/7/review',
  'records/secret-7/review',
  'provided/p1',
  'provided/p3',
  'provided/p3/secret-in',
  'provided/secret-p2',
  'provided/secret-p4',
  'provided/secret-p6',
  'nowhere',
  'team',
  'provided',
]

/** Everything that a client can ask, with the status and the body of every answer, byte for byte. */
async function transcript(server: TestServer, authInfo?: Caller): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  const ask = async (method: string, params: object = {}): Promise<{ nextCursor?: string }> => {
    const response = await exchange(server, method, params, authInfo)
    const text = await response.text()
    answers[`${method} ${JSON.stringify(params)}`] =
      `${response.status} ${response.headers.get('content-type')} ${text}`
    const { result = {} } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
    return result
  }
  const walk = async (method: string): Promise<void> => {
    let cursor: string | undefined
    do cursor = (await ask(method, cursor === undefined ? {} : { cursor })).nextCursor
    while (cursor)
  }
  for (const method of ['skills/list', 'resources/list', 'prompts/list']) await walk(method)
  for (const method of ['resources/templates/list', 'tools/list']) await ask(method)
  const call = (name: string, given: object) => ask('tools/call', { name, arguments: given })
  await call('load_skill', {})
  for (const path of PATHS) {
    const skill = `skill://${path}`
    for (const uri of [`${skill}/SKILL.md`, skill]) await ask('skills/get', { uri })
    for (const file of ['SKILL.md', 'a/b.md', 'c.md', 'x.md', 'a', 'none', '_manifest'])
      await ask('resources/read', { uri: `${skill}/${file}` })
    for (const folder of ['', '/a', '/none', '/SKILL.md', '/'])
      await ask('resources/directory/read', { uri: skill + folder })
    // A walk that begins at what may not be seen.
    for (const method of ['skills/list', 'resources/list', 'prompts/list'])
      await ask(method, { cursor: `${skill}/SKILL.md` })
    for (const name of new Set([path, path.split('/').at(-1)!, skill]))
      await call('load_skill', { skill: name })
    for (const file of ['a/b.md', 'none', '../a/c.md']) await call('read_skill_file', { skill: path, file })
    await ask('prompts/get', { name: path })
  }
  for (const argument of [
    { name: 'name', value: '' },
    { name: 'name', value: 's' },
    { name: 'name', value: 'team' },
    { name: 'path', value: '' },
    { name: 'path', value: 'secret' },
  ])
    for (const name of ['a', 'b', 'team', 'provided', 'secret-route'])
      await ask('completion/complete', {
        ref: { type: 'ref/resource', uri: 'skill://{name}/{+path}' },
        argument,
        context: { arguments: { name } },
      })
  return answers
}

/** Where a caller who may sees more: on each of these. */
const SURFACES = [
  /^skills\/list/,
  /^skills\/get/,
  /^resources\/list/,
  /^resources\/read/,
  /^resources\/read .*_manifest/,
  /^resources\/directory\/read/,
  /^tools\/list/,
  /^tools\/call .*load_skill","arguments":{}/,
  /^tools\/call .*load_skill.*"skill"/,
  /^tools\/call .*read_skill_file/,
  /^prompts\/list/,
  /^prompts\/get/,
  /^completion\/complete .*"argument":{"name":"name"/,
  /^completion\/complete .*"argument":{"name":"path"/,
]

describe.each(kinds)('%s', (kind) => {
  test.each([
    ['authorize', 1],
    ['authorize', 2],
    ['authorize', 100],
    ['requiredScopes', 3],
    ['allowSkills', 3],
  ])(
    'P12: what is denied cannot be told from what does not exist, anywhere (%s, pages of %i)',
    async (rule, pageSize) => {
      const options: TestOptions = {
        pageSize,
        logger: recorder(),
        ttlMs: 5000,
        cacheScope: 'public',
        features: [tools({ maxListing: pageSize * 60 }), prompts(), manifests()],
      }
      const [guarded, none] = [true, false].map((secrets) => serve(kind, RULES[rule]!(secrets), options))
      const denied = await transcript(guarded!, caller([]))
      expect(denied).toEqual(await transcript(none!, caller([])))
      expect(denied).toEqual(await transcript(guarded!))
      // Nothing there says any of it, but for what was asked itself.
      const unasked = Object.entries(denied).filter(([asked]) => !isSecret(asked))
      for (const [, answer] of unasked) expect(answer).not.toContain('secret')
      for (const answer of Object.values(denied)) expect(answer).not.toMatch(/hunter2|"public"/)

      const allowed = await transcript(guarded!, caller(['secret']))
      const changed = Object.keys(denied).filter((key) => allowed[key] !== denied[key])
      expect(SURFACES.filter((surface) => !changed.some((key) => surface.test(key)))).toEqual([])
    },
  )

  test('P12: nor in the instructions of the server', async () => {
    const discover = async (secrets: boolean, authInfo?: Caller) => {
      const options = { logger: recorder(), instructed: true }
      const server = serve(kind, RULES['authorize']!(secrets), options)
      return (await exchange(server, 'server/discover', {}, authInfo)).text()
    }
    const denied = await discover(true, caller([]))
    expect(denied).toContain('skill://a/SKILL.md')
    expect(denied).not.toContain('secret')
    for (const other of [discover(false, caller([])), discover(true)]) expect(await other).toBe(denied)
    expect(await discover(true, caller(['secret']))).toContain('skill://team/secret-b/SKILL.md')
  })

  test('P12: nor in a listing of all files', async () => {
    const options = { logger: recorder(), ttlMs: 5000, features: [listing('files')] }
    const walk = async (secrets: boolean, authInfo: Caller) => {
      const { client } = await connect(serve(kind, RULES['authorize']!(secrets), options), { authInfo })
      return JSON.stringify(await client.listResources())
    }
    const denied = await walk(true, caller([]))
    expect(denied).toBe(await walk(false, caller([])))
    expect(denied).not.toContain('secret')
    expect(await walk(true, caller(['secret']))).toContain('secret-b/a/b.md')
  })
})
