import { compile } from '@embed-skills/compiler'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { describe, expect, test } from 'vitest'
import { connect, post } from '../support/client.ts'
import { importSkills } from '../support/modules.ts'
import { kinds, listen } from '../support/servers.ts'
import { skillMd, writeTree } from '../support/tree.ts'

const names = Array.from({ length: 230 }, (_, index) => `skill-${String(index).padStart(3, '0')}`)
const many = Object.fromEntries(Array.from({ length: 230 }, (_, index) => [`${index}.md`, `File ${index}`]))
const root = writeTree({
  ...Object.fromEntries(names.map((name) => [`skills/${name}/SKILL.md`, skillMd(name)])),
  ...Object.fromEntries(Object.entries(many).map(([name, text]) => [`skills/skill-000/many/${name}`, text])),
})
const { skills } = await compile('skills/*', { root })
const uris = skills.map(({ uri }) => uri)
const compiled = await importSkills(skills)
const cases = kinds.flatMap(({ name, eras, listener }) => eras.map((era) => ({ name, era, listener })))

describe.each(cases)('$name, $era', ({ name, era, listener }) => {
  test('N13: 230 skills come in pages of 100, each once and in order', async () => {
    await using server = await listen(listener(compiled))
    const pages: string[][] = []
    let cursor: unknown
    do {
      const { result } = await post(server.url, era, 'skills/list', cursor === undefined ? {} : { cursor })
      pages.push((result!['skills'] as { uri: string }[]).map(({ uri }) => uri))
      cursor = result!['nextCursor']
    } while (cursor !== undefined)
    expect(pages.map((page) => page.length)).toEqual([100, 100, 30])
    expect(pages.flat()).toEqual(uris)
    await using connection = await connect(server.url, era)
    const listed = await new SkillsClient(connection.client).list()
    expect(listed.skills.map(({ uri }) => uri)).toEqual(uris)
    const { resources } = await connection.client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(uris)
  })

  test('N13: a page is as long as the option says, and the last one may be full', async () => {
    await using server = await listen(listener(compiled, { pageSize: 115 }))
    const { result } = await post(server.url, era, 'skills/list')
    expect(result!['skills']).toHaveLength(115)
    const last = await post(server.url, era, 'skills/list', { cursor: result!['nextCursor'] })
    expect(last.result!['skills']).toHaveLength(115)
    expect(last.result).not.toHaveProperty('nextCursor')
  })

  test('N13: a folder of 230 files comes in pages as well', async () => {
    await using server = await listen(listener(compiled))
    await using connection = await connect(server.url, era)
    const { resources } = await new SkillsClient(connection.client).readDirectory('skill://skill-000/many')
    expect(resources.map(({ uri }) => uri)).toEqual(
      Object.keys(many)
        .map((name) => `skill://skill-000/many/${name}`)
        .sort(),
    )
    const first = await post(server.url, era, 'resources/directory/read', { uri: 'skill://skill-000/many' })
    expect(first.result!['resources']).toHaveLength(100)
  })

  test.each([
    ['skills/list', {}],
    ['resources/list', {}],
    ['resources/directory/read', { uri: 'skill://skill-000/many' }],
  ])('%s: a malformed cursor is -32602 (protocol M9)', async (method, params) => {
    await using server = await listen(listener(compiled))
    // An McpServer lists resources of its own first, and any other cursor may be one of theirs.
    const isShared = method === 'resources/list' && name.startsWith('McpServer')
    const others = isShared ? [] : ['100', 'nonsense', 'https://x/', 7, 0, null, false, {}]
    for (const cursor of ['skill://', 'skill://a/../b', 'skill://a?b', ...others]) {
      const { error } = await post(server.url, era, method, { ...params, cursor })
      expect({ cursor, code: error?.code }).toEqual({ cursor, code: -32602 })
    }
  })

  test('a walk goes on where it was when its last skill is gone (protocol M9)', async () => {
    await using before = await listen(listener(compiled))
    const first = await post(before.url, era, 'skills/list')
    const left = await importSkills(skills.filter(({ path }) => path !== 'skill-099' && path !== 'skill-100'))
    await using after = await listen(listener(left))
    const second = await post(after.url, era, 'skills/list', { cursor: first.result!['nextCursor'] })
    expect((second.result!['skills'] as { uri: string }[])[0]!.uri).toBe('skill://skill-101/SKILL.md')
  })
})
