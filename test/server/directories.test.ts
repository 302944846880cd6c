import { compile } from '@embed-skills/compiler'
import type { Resource } from '@embed-skills/runtime'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { describe, expect, test } from 'vitest'
import { connect, post } from '../support/client.ts'
import { importSkills } from '../support/modules.ts'
import { kinds, listen } from '../support/servers.ts'
import { skillMd, writeTree } from '../support/tree.ts'

const root = writeTree({
  'skills/outer/SKILL.md': skillMd('outer'),
  'skills/outer/a b/ü.md': 'Text',
  'skills/outer/deep/down/x.bin': Uint8Array.of(0, 1, 2),
  'skills/outer/empty/': '',
  'skills/outer/full/empty/': '',
  'skills/outer/inner/SKILL.md': skillMd('inner'),
  'skills/outer/inner/notes.txt': 'Notes',
})
const { skills } = await compile({ from: 'skills/**', prefix: 'acme' }, { root })
const compiled = await importSkills(skills)
const cases = kinds.flatMap(({ name, eras, listener }) => eras.map((era) => ({ name, era, listener })))

describe.each(cases)('$name, $era', ({ era, listener }) => {
  async function read(uri: string): Promise<string[]> {
    await using server = await listen(listener(compiled))
    await using connection = await connect(server.url, era)
    const { resources } = await new SkillsClient(connection.client).readDirectory(uri)
    return resources.map(({ uri, mimeType }) => `${uri} ${mimeType}`)
  }

  test('A5: a folder shows its direct children, folders as inode/directory', async () => {
    expect(await read('skill://acme/outer')).toEqual([
      'skill://acme/outer/SKILL.md text/markdown',
      'skill://acme/outer/a%20b inode/directory',
      'skill://acme/outer/deep inode/directory',
      'skill://acme/outer/empty inode/directory',
      'skill://acme/outer/full inode/directory',
      'skill://acme/outer/inner inode/directory',
    ])
    expect(await read('skill://acme/outer/a%20b')).toEqual([
      'skill://acme/outer/a%20b/%C3%BC.md text/markdown',
    ])
    expect(await read('skill://acme/outer/deep')).toEqual(['skill://acme/outer/deep/down inode/directory'])
    expect(await read('skill://acme/outer/deep/down')).toEqual([
      'skill://acme/outer/deep/down/x.bin application/octet-stream',
    ])
  })

  test('A7: a folder that holds nothing is there, and empty', async () => {
    expect(await read('skill://acme/outer/empty')).toEqual([])
    expect(await read('skill://acme/outer/full')).toEqual(['skill://acme/outer/full/empty inode/directory'])
    expect(await read('skill://acme/outer/full/empty')).toEqual([])
  })

  test('N8: a nested skill is a folder of the skill around it, and a skill of its own', async () => {
    const files = [
      'skill://acme/outer/inner/SKILL.md text/markdown',
      'skill://acme/outer/inner/notes.txt text/plain',
    ]
    expect(await read('skill://acme/outer/inner')).toEqual(files)
    await using server = await listen(listener(compiled))
    await using connection = await connect(server.url, era)
    const reader = new SkillsClient(connection.client)
    const outer = (await reader.get('skill://acme/outer/SKILL.md')).skill
    const inner = (await reader.get('skill://acme/outer/inner/SKILL.md')).skill
    for (const resource of inner.resources as { uri: string }[]) {
      expect(outer.resources).toContainEqual(resource)
      const [one, other] = await Promise.all([
        reader.read(outer, resource.uri),
        reader.read(inner, resource.uri),
      ])
      expect(one.bytes).toEqual(other.bytes)
    }
  })

  test('M7: a SKILL.md is shown with the name and description of its frontmatter', async () => {
    await using server = await listen(listener(compiled))
    const { result } = await post(server.url, era, 'resources/directory/read', { uri: 'skill://acme/outer' })
    const [first] = result!['resources'] as [Resource]
    expect(first).toEqual({
      uri: 'skill://acme/outer/SKILL.md',
      name: 'outer',
      description: 'Does outer.',
      mimeType: 'text/markdown',
      size: skills[0]!.files[0]!.size,
    })
  })

  test('A5: a trailing slash, a file, a prefix and what is not there are -32602 (protocol E10)', async () => {
    await using server = await listen(listener(compiled))
    for (const uri of [
      'skill://acme/outer/',
      'skill://acme/outer/SKILL.md',
      'skill://acme',
      'skill://acme/',
      'skill://acme/outer/nothing',
      'skill://',
    ]) {
      const { error } = await post(server.url, era, 'resources/directory/read', { uri })
      expect({ uri, code: error?.code }).toEqual({ uri, code: -32602 })
    }
  })
})
