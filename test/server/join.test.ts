import { compile } from '@embed-skills/compiler'
import type { CompiledSkills } from '@embed-skills/runtime'
import { createCatalog, joinSkills } from '@embed-skills/runtime'
import { serveSkills } from '@embed-skills/runtime/fetch'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { expect, test } from 'vitest'
import { connect } from '../support/client.ts'
import { importSkills } from '../support/modules.ts'
import { info, kinds, listen } from '../support/servers.ts'
import type { Tree } from '../support/tree.ts'
import { skillMd, writeTree } from '../support/tree.ts'

async function compiled(files: Tree): Promise<CompiledSkills> {
  return importSkills((await compile('**', { root: writeTree(files) })).skills)
}

const one = await compiled({ 'a/SKILL.md': skillMd('a'), 'c/SKILL.md': skillMd('c'), 'c/x.md': 'X' })
const other = await compiled({ 'b/SKILL.md': skillMd('b'), 'c/SKILL.md': skillMd('c'), 'c/x.md': 'X' })

test.each(kinds.flatMap(({ name, eras, listener }) => eras.map((era) => ({ name, era, listener }))))(
  'N8: joined sets are one listing, and what both hold is served once: $name, $era',
  async ({ era, listener }) => {
    await using server = await listen(listener(joinSkills(one, other)))
    await using connection = await connect(server.url, era)
    const reader = new SkillsClient(connection.client)
    const { skills } = await reader.list()
    expect(skills.map(({ uri }) => uri)).toEqual(['a', 'b', 'c'].map((name) => `skill://${name}/SKILL.md`))
    for (const skill of skills)
      for (const { uri } of skill.resources as { uri: string }[])
        expect(await reader.read(skill, uri)).toMatchObject({ uri, verified: true })
    const { resources } = await reader.readDirectory('skill://c')
    expect(resources.map(({ uri }) => uri)).toEqual(['skill://c/SKILL.md', 'skill://c/x.md'])
  },
)

test('N8, A9: two sets that hold different bytes for a URI are refused, and the URI named', async () => {
  const changed = await compiled({ 'c/SKILL.md': skillMd('c'), 'c/x.md': 'Y' })
  expect(() => joinSkills(one, changed)).toThrow('Two compiled sets hold different bytes for skill://c/x.md')
})

test('A9: a nested skill of another set with other bytes than the manifest around it is refused', async () => {
  const outer = await compiled({
    'outer/SKILL.md': skillMd('outer'),
    'outer/inner/SKILL.md': skillMd('inner'),
  })
  const inner = await compiled({ 'outer/inner/SKILL.md': skillMd('inner', 'license: MIT\n') })
  expect(() => joinSkills(outer, inner)).toThrow('skill://outer/inner/SKILL.md')
})

test('a set of a format that this runtime does not know is refused with the package to update', () => {
  const newer = { ...one, format: 2 }
  const uses = [() => serveSkills(newer, info), () => createCatalog(newer), () => joinSkills(newer)]
  for (const use of uses)
    expect(use).toThrow(new TypeError('Skills of format 2 need a newer @embed-skills/runtime'))
})
