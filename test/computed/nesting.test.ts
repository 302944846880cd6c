import path from 'node:path'
import { compile } from '@embed-skills/compiler'
import { joinSkills } from '@embed-skills/runtime'
import type { DefineOptions } from '@embed-skills/runtime/define'
import { defineSkill, skillRoute } from '@embed-skills/runtime/define'
import { provider } from '@embed-skills/runtime/provider'
import { mkdtemp, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { importSkills } from '../support/modules.ts'
import { connect, kinds, recorder, serve } from './support.ts'

const description = 'Does something. Use it.'
const stable = { stable: true }

const code = (path: string, files: Record<string, string>, options: DefineOptions = stable) =>
  defineSkill(
    path,
    { description },
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, () => text])),
    options,
  )

async function compileTree(files: Record<string, string>) {
  const root = await mkdtemp(path.join(tmpdir(), 'embed-skills-nest-'))
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await writeFile(path.join(root, file), text)
  }
  const { skills, diagnostics } = await compile('**', { root })
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  return importSkills(skills)
}

const skillMd = (name: string, body = ''): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}`

describe.each(kinds)('%s', (kind) => {
  test('P11: the deepest skill owns a file; the copy of its parent is dropped and logged', async () => {
    const logger = recorder()
    const skills = joinSkills(
      code('acme', {
        'a.md': 'a',
        'team/refunds/SKILL.md': 'copy',
        'team/refunds/old.md': 'copy',
        'team/x.md': 'x',
      }),
      code('acme/team/refunds', { 'r.md': 'r', 'partial/z.md': 'copy' }),
      code('acme/team/refunds/partial', { 'p.md': 'p' }),
    )
    const { readAll, rpc } = await connect(serve(kind, skills, { logger }))
    const files = await readAll()
    const bodies = Object.fromEntries(Object.entries(files).map(([uri, held]) => [uri, Object.keys(held)]))
    expect(bodies).toEqual({
      'skill://acme/SKILL.md': [
        'SKILL.md',
        'a.md',
        'team/refunds/SKILL.md',
        'team/refunds/partial/SKILL.md',
        'team/refunds/partial/p.md',
        'team/refunds/r.md',
        'team/x.md',
      ],
      'skill://acme/team/refunds/SKILL.md': ['SKILL.md', 'partial/SKILL.md', 'partial/p.md', 'r.md'],
      'skill://acme/team/refunds/partial/SKILL.md': ['SKILL.md', 'p.md'],
    })
    expect(files['skill://acme/SKILL.md']!['team/refunds/SKILL.md']).toContain('name: "refunds"')
    expect((await rpc('resources/read', { uri: 'skill://acme/team/refunds/old.md' })).error?.code).toBe(
      -32602,
    )
    const names = async (uri: string) =>
      (await rpc('resources/directory/read', { uri })).result.resources.map((child: { uri: string }) =>
        child.uri.slice(uri.length + 1),
      )
    expect(await names('skill://acme')).toEqual(['SKILL.md', 'a.md', 'team'])
    expect(await names('skill://acme/team')).toEqual(['refunds', 'x.md'])
    expect(await names('skill://acme/team/refunds')).toEqual(['SKILL.md', 'partial', 'r.md'])
    expect(logger.messages).toEqual([
      'warn: embed-skills: skill://acme has a copy of skill://acme/team/refunds/SKILL.md, which is served from the nested skill skill://acme/team/refunds',
      'warn: embed-skills: skill://acme/team/refunds has a copy of skill://acme/team/refunds/partial/z.md, which is served from the nested skill skill://acme/team/refunds/partial',
    ])
  })

  test('P11: computed in compiled, and compiled in computed', async () => {
    const compiled = await compileTree({
      'acme/SKILL.md': skillMd('acme'),
      'acme/refunds/SKILL.md': skillMd('refunds'),
      'acme/refunds/old.md': 'old',
      'code/inner/SKILL.md': skillMd('inner', 'from disk'),
    })
    const { readAll } = await connect(
      serve(
        kind,
        joinSkills(compiled, code('acme/new', { 'n.md': 'n' }), code('code', { 'inner/SKILL.md': 'copy' })),
        { logger: recorder() },
      ),
    )
    const files = await readAll()
    expect(Object.keys(files['skill://acme/SKILL.md']!)).toEqual([
      'SKILL.md',
      'new/SKILL.md',
      'new/n.md',
      'refunds/SKILL.md',
      'refunds/old.md',
    ])
    expect(files['skill://code/SKILL.md']!['inner/SKILL.md']).toBe(skillMd('inner', 'from disk'))
  })

  test('P11: a nested one that gives nothing serves no files, one that throws fails its parent alone', async () => {
    const logger = recorder()
    const skills = joinSkills(
      code('a', { 'none/x.md': 'copy' }),
      skillRoute('a/none', () => null, stable),
      code('b', {}),
      skillRoute('b/bad', () => Promise.reject(new Error('x')), stable),
      code('c', {}),
    )
    const { reader, rpc } = await connect(serve(kind, skills, { logger }))
    const { skill } = await reader.get('skill://a/SKILL.md')
    expect(skill.resources).toHaveLength(1)
    expect((await rpc('resources/read', { uri: 'skill://a/none/x.md' })).error?.code).toBe(-32602)
    const { result } = await rpc('resources/directory/read', { uri: 'skill://a' })
    expect(result.resources.map(({ name }: { name: string }) => name)).toEqual(['a'])

    expect((await rpc('skills/get', { uri: 'skill://b/SKILL.md' })).error).toEqual({
      code: -32603,
      message: 'Internal error',
    })
    expect((await reader.list()).skills.map(({ uri }) => uri)).toEqual([
      'skill://a/SKILL.md',
      'skill://c/SKILL.md',
    ])
    // The parent's own files are there all the same.
    expect((await rpc('resources/read', { uri: 'skill://b/SKILL.md' })).result).toBeDefined()
  })

  test('A10: dynamic nests in dynamic', async () => {
    const skills = joinSkills(code('a', { 'x.md': 'x' }, {}), code('a/b', { 'y.md': 'y' }, {}))
    const { reader, rpc } = await connect(serve(kind, skills))
    expect((await reader.list()).skills.map(({ resources }) => resources)).toEqual(['dynamic', 'dynamic'])
    expect((await rpc('resources/read', { uri: 'skill://a/b/y.md' })).result.contents[0].text).toBe('y')
    const { result } = await rpc('resources/directory/read', { uri: 'skill://a' })
    expect(result.resources.map(({ uri }: { uri: string }) => uri)).toEqual([
      'skill://a/SKILL.md',
      'skill://a/b',
      'skill://a/x.md',
    ])
  })

  test('A10: what turns out dynamic inside of a manifest fails the parent', async () => {
    const logger = recorder()
    const route = skillRoute('a/b', () => defineSkill('b', { description }, {}))
    const { reader, rpc } = await connect(serve(kind, joinSkills(code('a', {}), route), { logger }))
    expect((await rpc('skills/get', { uri: 'skill://a/SKILL.md' })).error?.code).toBe(-32603)
    expect((await reader.list()).skills.map(({ uri }) => uri)).toEqual(['skill://a/b/SKILL.md'])
    expect(logger.messages[0]).toContain('skill://a/b is dynamic and lies in skill://a')
  })

  test('P11: one render of a nested skill a request', async () => {
    let calls = 0
    const route = skillRoute(
      'a/b',
      () => {
        calls++
        return code('b', { 'x.md': 'x' })
      },
      stable,
    )
    const { reader } = await connect(serve(kind, joinSkills(code('a', {}), route)))
    await reader.list()
    expect(calls).toBe(1)
  })

  test('P11: a skill of a provider takes in what is known to lie in it', async () => {
    const source = provider({
      get: (uri) => (uri === 'skill://p/SKILL.md' ? code('p', { 'x.md': 'x', 'in/y.md': 'copy' }) : null),
      readDirectory: () => null,
    })
    const { reader, rpc } = await connect(
      serve(kind, joinSkills(source, code('p/in', { 'z.md': 'z' })), { logger: recorder() }),
    )
    const { skill } = await reader.get('skill://p/SKILL.md')
    expect((skill.resources as { uri: string }[]).map(({ uri }) => uri)).toEqual([
      'skill://p/SKILL.md',
      'skill://p/in/SKILL.md',
      'skill://p/in/z.md',
      'skill://p/x.md',
    ])
    for (const { uri } of skill.resources as { uri: string }[])
      expect((await reader.read(skill, uri)).verified).toBe(true)
    const { result } = await rpc('resources/directory/read', { uri: 'skill://p/in' })
    expect(result.resources).toHaveLength(2)
  })
})

test('N8, A9: compiled sets that disagree are refused', async () => {
  const one = await compileTree({ 'a/SKILL.md': skillMd('a') })
  const other = await compileTree({ 'a/SKILL.md': skillMd('a', 'other') })
  const nested = await compileTree({ 'a/b/SKILL.md': skillMd('b') })
  const both = await compileTree({ 'a/SKILL.md': skillMd('a'), 'a/b/SKILL.md': skillMd('b') })
  const more = await compileTree({ 'a/b/SKILL.md': skillMd('b'), 'a/b/x.md': 'x' })
  expect(() => joinSkills(one, other)).toThrow('different bytes for skill://a/SKILL.md')
  expect(() => joinSkills(one, nested)).toThrow('has other files there')
  expect(() => joinSkills(both, more)).toThrow('has other files there')
  expect(() => joinSkills(both, nested)).not.toThrow()
  const computed = code('z', {})
  expect(() => joinSkills(one, other, computed)).toThrow('different bytes')
  expect(() => joinSkills(one, nested, computed)).toThrow('has other files there')
})

test('N8, A10, P11: what cannot be served is refused when it is joined', () => {
  const route = (path: string) => skillRoute(path, () => null)
  expect(() => joinSkills(code('a', {}), code('a', {}))).toThrow('Two sources serve a skill at skill://a')
  expect(() => joinSkills(code('a', {}), code('a/b', { x: '' }, {}))).toThrow('skill://a/b is dynamic')
  expect(() =>
    joinSkills(
      code('a', {}),
      skillRoute('a/b', () => null, { stable: false }),
    ),
  ).toThrow('is dynamic')
  expect(() => joinSkills(code('a', {}), route('a/:id/b'))).toThrow('a route with params cannot nest')
  expect(() => joinSkills(route('a/:x'), route('a/:y/b'))).toThrow('a route with params cannot nest')
  expect(() => joinSkills(route('a/:x/b'), code('a', {}))).toThrow('a route with params cannot nest')
  expect(() => joinSkills(code('b', {}), route('a/:x'), code('a/c/d', {}))).not.toThrow()
  expect(() => joinSkills(joinSkills(code('a', {}), code('c', {})), code('a/b', { x: '' }, {}))).toThrow(
    'is dynamic',
  )
})
