import path from 'node:path'
import { compile } from '@embed-skills/compiler'
import { createCatalog, joinSkills } from '@embed-skills/runtime'
import { allowSkills, authorize, requiredScopes } from '@embed-skills/runtime/access'
import { defineSkill } from '@embed-skills/runtime/define'
import { serveSkills } from '@embed-skills/runtime/fetch'
import { liveSkills } from '@embed-skills/runtime/live'
import { describe, expect, test } from 'vitest'
import { importSkills } from '../support/modules.ts'
import { connect, info, kinds, recorder, serve } from './support.ts'

const description = 'Does something. Use it.'
const caller = (scopes: string[], sub = 'x') => ({ token: 't', clientId: 'c', scopes, extra: { sub } })

const root = path.join(import.meta.dirname, '../../playground/worker')
const compiled = await importSkills((await compile('skills/**', { root })).skills)

const code = (path: string) => defineSkill(path, { description }, { 'a/b.md': () => path, 'c.md': 'c' })
describe.each(kinds)('%s', (kind) => {
  test('A4: scopes of the verified token', async () => {
    const skills = joinSkills(code('open'), requiredScopes(code('closed'), ['skills:read', 'skills:admin']))
    const server = serve(kind, skills)
    const names = async (authInfo?: ReturnType<typeof caller>) =>
      (await (await connect(server, authInfo && { authInfo })).reader.list()).skills.map(({ uri }) => uri)
    expect(await names()).toEqual(['skill://open/SKILL.md'])
    expect(await names(caller(['skills:read']))).toEqual(['skill://open/SKILL.md'])
    expect(await names(caller(['skills:admin', 'x', 'skills:read']))).toEqual([
      'skill://closed/SKILL.md',
      'skill://open/SKILL.md',
    ])
    expect(() => requiredScopes(code('a'), [])).toThrow('at least one scope')
  })

  test('P12: an allow-list, which includes nested skills', async () => {
    const lists: Record<string, string[]> = {
      ada: ['incident-response'],
      bob: ['incident-response/postmortem'],
    }
    const skills = allowSkills(compiled, ({ authInfo }) => lists[String(authInfo?.extra?.['sub'])] ?? [])
    const server = serve(kind, skills)
    const of = async (sub: string) => {
      const { reader, rpc, readAll } = await connect(server, { authInfo: caller([], sub) })
      return { reader, rpc, readAll, uris: (await reader.list()).skills.map(({ uri }) => uri) }
    }
    const ada = await of('ada')
    expect(ada.uris).toEqual([
      'skill://incident-response/SKILL.md',
      'skill://incident-response/postmortem/SKILL.md',
    ])
    await ada.readAll()
    const bob = await of('bob')
    expect(bob.uris).toEqual(['skill://incident-response/postmortem/SKILL.md'])
    await bob.readAll()
    for (const uri of ['skill://incident-response/SKILL.md', 'skill://incident-response/scripts/timeline.sh'])
      expect((await bob.rpc('resources/read', { uri })).error?.code).toBe(-32602)
    expect((await of('eve')).uris).toEqual([])
  })

  test('P12: a path without a skill allows nothing below it', async () => {
    const { reader } = await connect(
      serve(kind, allowSkills(joinSkills(code('acme/x'), code('y')), ['acme', 'y'])),
    )
    expect((await reader.list()).skills.map(({ uri }) => uri)).toEqual(['skill://y/SKILL.md'])
    expect(() => allowSkills(code('y'), ['Y'])).toThrow(TypeError)
  })

  test('a denied nested skill hides its entry, not the files that its parent lists', async () => {
    const skills = authorize(compiled, ({ uri }) => uri === 'skill://incident-response/SKILL.md')
    const { reader, rpc, readAll } = await connect(serve(kind, skills))
    expect((await reader.list()).skills).toHaveLength(1)
    const [files] = Object.values(await readAll())
    expect(Object.keys(files!)).toContain('postmortem/SKILL.md')
    const nested = 'skill://incident-response/postmortem'
    expect((await rpc('skills/get', { uri: `${nested}/SKILL.md` })).error?.code).toBe(-32602)
    // There it is a file like any other.
    const { result } = await rpc('resources/directory/read', { uri: nested })
    expect(result.resources[0]).toMatchObject({ name: 'SKILL.md', mimeType: 'text/markdown' })
    expect(result.resources[0]).not.toHaveProperty('description')
  })

  test('a rule that throws, or gives anything but true, denies', async () => {
    const logger = recorder()
    const rules = [
      () => Promise.reject(new Error('no database')),
      () => 'yes' as never,
      () => 1 as never,
      () => undefined as never,
    ]
    for (const rule of rules) {
      const { reader, rpc } = await connect(serve(kind, authorize(code('a'), rule), { logger }))
      expect((await reader.list()).skills).toEqual([])
      expect((await rpc('skills/get', { uri: 'skill://a/SKILL.md' })).error?.code).toBe(-32602)
    }
    expect(logger.messages.length).toBeGreaterThan(0)
    expect(new Set(logger.messages)).toEqual(
      new Set(['error: embed-skills: the access rule for skill://a/SKILL.md failed']),
    )
  })

  test('where a rule applies every result is private', async () => {
    const hints = { ttlMs: 1000, cacheScope: 'public' } as const
    const skills = joinSkills(compiled, requiredScopes(code('closed'), ['x']))
    const { rpc } = await connect(serve(kind, skills, hints))
    const uri = 'skill://brand-kit/SKILL.md'
    for (const [method, params] of [
      ['skills/list', {}],
      ['skills/get', { uri }],
      ['resources/read', { uri }],
      ['resources/list', {}],
      ['resources/directory/read', { uri: 'skill://brand-kit' }],
    ] as const)
      expect((await rpc(method, params)).result.cacheScope).toBe('private')
  })

  test('P7: a read asks the rule and renders the file alone', async () => {
    const rendered: string[] = []
    const file = (name: string) => () => {
      rendered.push(name)
      return name
    }
    const skill = defineSkill(
      'a',
      { description },
      { 'a.md': file('a'), 'b.md': file('b') },
      { stable: true },
    )
    const { rpc } = await connect(
      serve(
        kind,
        authorize(skill, () => true),
      ),
    )
    await rpc('resources/read', { uri: 'skill://a/a.md' })
    expect(rendered).toEqual(['a'])
  })

  test('the rule knows the request and the verified caller', async () => {
    const seen: unknown[] = []
    const skills = authorize(code('a'), (skill, { request, authInfo, signal }) => {
      seen.push([
        skill.frontmatter.name,
        Object.keys(skill),
        request?.method,
        authInfo?.extra,
        signal?.aborted,
      ])
      return true
    })
    const { rpc } = await connect(serve(kind, skills), { authInfo: caller([], 'ada') })
    await rpc('skills/get', { uri: 'skill://a/SKILL.md' })
    expect(seen).toEqual([['a', ['uri', 'frontmatter'], 'POST', { sub: 'ada' }, false]])
  })
})

test('rules without a source of verified callers are refused', () => {
  const skills = joinSkills(compiled, requiredScopes(code('closed'), ['x']))
  expect(() => serveSkills(skills, info)).toThrow('Access rules need callers that were verified')
  expect(() => createCatalog(skills)).toThrow('Access rules need callers that were verified')
  expect(() => createCatalog(skills, { verified: true })).not.toThrow()
})

test('no announcement of a change tells what may not be seen', () => {
  const live = liveSkills(code('a'))
  expect(createCatalog(live)).toHaveProperty('onChange')
  expect(createCatalog(requiredScopes(live, ['x']), { verified: true })).not.toHaveProperty('onChange')
})
