import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { describe, expect, test } from 'vitest'
import { connect, post } from '../support/client.ts'
import { demoSkills } from '../support/demo.ts'
import { importSkills } from '../support/modules.ts'
import type { Era } from '../support/servers.ts'
import { kinds, listen } from '../support/servers.ts'

const skills = await demoSkills()
const compiled = await importSkills(skills)
const cases = kinds.flatMap(({ name, eras, listener }) => eras.map((era) => ({ name, era, listener })))

describe.each(cases)('$name, $era', ({ era, listener }) => {
  test('N6, N7, N9, N11, N18: a client verifies every file, byte for byte', async () => {
    await using server = await listen(listener(compiled))
    await using connection = await connect(server.url, era)
    const reader = new SkillsClient(connection.client)
    const listed = await reader.list()
    expect(listed.skills.map(({ uri }) => uri)).toEqual(skills.map(({ uri }) => uri))
    for (const { uri, frontmatter, files } of skills) {
      const { skill } = await reader.get(uri)
      expect(skill).toEqual({
        uri,
        frontmatter,
        resources: files.map(({ uri, digest, size }) => ({ uri, digest, size })),
      })
      expect(listed.skills.find((entry) => entry.uri === uri)).toEqual(skill)
      for (const file of files) {
        const served = await reader.read(skill, file.uri)
        expect(served).toMatchObject({ verified: true, mimeType: file.mimeType })
        expect([file.uri, Buffer.from(served.bytes).equals(file.bytes)]).toEqual([file.uri, true])
      }
    }
  })

  test('N12: a file is text where its bytes are UTF-8 without NUL, else a blob', async () => {
    await using server = await listen(listener(compiled))
    const files = skills.flatMap((skill) => skill.files)
    expect(new Set(files.map(({ kind }) => kind))).toEqual(new Set(['text', 'blob']))
    for (const { uri, kind, mimeType, bytes } of files) {
      const { result } = await post(server.url, era, 'resources/read', { uri })
      const buffer = Buffer.from(bytes)
      expect(result!['contents']).toEqual([
        kind === 'text'
          ? { uri, mimeType, text: buffer.toString('utf8') }
          : { uri, mimeType, blob: buffer.toString('base64') },
      ])
    }
  })

  test('N1, N4: the extension is declared, and answers who does not declare it', async () => {
    await using server = await listen(listener(compiled))
    await using connection = await connect(server.url, era)
    expect(connection.client.getServerCapabilities()).toMatchObject({
      resources: {},
      extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
    })
    const { result } = await post(server.url, era, 'skills/list')
    expect(result!['skills']).toHaveLength(skills.length)
  })

  test.each(['skills/get', 'resources/read', 'resources/directory/read'])(
    '%s: what is not served, not canonical or no URI is -32602',
    async (method) => {
      await using server = await listen(listener(compiled))
      const { uri } = skills[0]!
      for (const wrong of [
        'skill://nobody/SKILL.md',
        'skill://nobody',
        'skill://acme',
        `${uri}?`,
        uri.replace('/SKILL.md', '/%2FSKILL.md'),
        uri.replace('/SKILL.md', '/x/../SKILL.md'),
        uri.replace('/SKILL.md', '/SKILL.md/'),
        'skill://__proto__/SKILL.md',
        'skill://constructor',
      ]) {
        const { error } = await post(server.url, era, method, { uri: wrong })
        expect({ wrong, code: error?.code }).toEqual({ wrong, code: -32602 })
      }
      for (const params of [{}, { uri: 1 }, { uri: null }])
        expect((await post(server.url, era, method, params)).error?.code).toBe(-32602)
    },
  )

  test('any equivalent spelling of a URI is read (protocol E11)', async () => {
    await using server = await listen(listener(compiled))
    const file = skills.flatMap((skill) => skill.files).find(({ uri }) => uri.endsWith('/Q&A.md'))!
    for (const uri of [file.uri.replace('&', '%26'), file.uri.replace('skill:', 'SKILL:')]) {
      const { result } = await post(server.url, era, 'resources/read', { uri })
      expect(result!['contents']).toEqual([
        { uri: file.uri, mimeType: 'text/markdown', text: Buffer.from(file.bytes).toString() },
      ])
    }
  })

  test('N13: results carry the hints that were asked for, and in the legacy era none (protocol M5)', async () => {
    await using server = await listen(listener(compiled, { ttlMs: 60_000, cacheScope: 'public' }))
    const { uri } = skills[0]!
    for (const [method, params] of [
      ['skills/list', {}],
      ['skills/get', { uri }],
      ['resources/read', { uri }],
      ['resources/directory/read', { uri: uri.replace('/SKILL.md', '') }],
    ] as const) {
      const { result } = await post(server.url, era, method, params)
      const { resultType, ttlMs, cacheScope } = result!
      expect({ method, resultType, ttlMs, cacheScope }).toEqual({
        method,
        resultType: era === 'modern' ? 'complete' : undefined,
        ttlMs: era === 'modern' ? 60_000 : undefined,
        cacheScope: era === 'modern' ? 'public' : undefined,
      })
    }
  })

  test('N13: by default nothing may be kept, and nobody may share it', async () => {
    await using server = await listen(listener(compiled))
    const { result } = await post(server.url, era, 'skills/list')
    expect(result).toMatchObject(era === 'modern' ? { ttlMs: 0, cacheScope: 'private' } : {})
    expect('ttlMs' in result!).toBe(era === ('modern' satisfies Era))
  })

  test('N17: with directoryRead off it is not declared, and its method unknown', async () => {
    await using server = await listen(listener(compiled, { directoryRead: false }))
    await using connection = await connect(server.url, era)
    expect(connection.client.getServerCapabilities()?.extensions).toEqual({
      'io.modelcontextprotocol/skills': {},
    })
    const uri = skills[0]!.uri.replace('/SKILL.md', '')
    const { error } = await post(server.url, era, 'resources/directory/read', { uri })
    expect(error?.code).toBe(-32601)
    await expect(connection.request('resources/directory/read', { uri })).rejects.toThrow(/not found/i)
  })
})
