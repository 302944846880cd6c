import fs from 'node:fs'
import path from 'node:path'
import { compile, emitModules } from '@embed-skills/compiler'
import type { CompiledSkill, Content } from '@embed-skills/compiler'
import embedSkills from 'unplugin-embed-skills/vite'
import { build } from 'vite'
import type { Rolldown } from 'vite'
import { expect, test } from 'vitest'
// The disk is no public option.
import { compileFrom } from '../../packages/compiler/src/compile.ts'
import { resolveOptions } from '../../packages/compiler/src/options.ts'
import { createDisk } from '../../packages/compiler/src/read/disk.ts'
import { temporaryFolder, writeTree } from '../support/tree.ts'
import { skillMd } from '../support/tree.ts'

const LICENSE = 'The same licence in several skills.'
const FILES = {
  'skills/b/SKILL.md': skillMd('b'),
  'skills/b/ü.md': 'Umlaut',
  'skills/b/Z.md': 'Capital',
  'skills/b/a.md': 'Small',
  'skills/b/LICENSE': LICENSE,
  'skills/outer/SKILL.md': skillMd('outer'),
  'skills/outer/secret.md': 'Only the outer skill holds this.',
  'skills/outer/LICENSE': LICENSE,
  'skills/outer/inner/SKILL.md': skillMd('inner'),
  'skills/outer/inner/own.md': 'The inner skill holds this, and so does the outer one.',
  'skills/outer/inner/copy.md': 'Small',
  'skills/c/SKILL.md': skillMd('c'),
  'skills/c/x.bin': Uint8Array.of(0, 1, 2),
}

function written(skills: readonly CompiledSkill[], content: Content): Record<string, string> {
  return Object.fromEntries([...emitModules(skills, { content })].map(([id, write]) => [id, write()]))
}

async function modulesOf(root: string, content: Content): Promise<Record<string, string>> {
  return written((await compile('skills/**', { root })).skills, content)
}

/** A disk that lists names in another order, a different one for each seed. */
function shuffled(seed: number): ReturnType<typeof createDisk> {
  const shuffle = <T>(items: T[]): T[] =>
    items
      .map((item, index) => ({ item, key: ((index + 1) * (seed * 7919 + 13)) % 31 }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item)
  return createDisk({
    readFileSync: fs.readFileSync,
    readdirSync: ((folder: string, options: { withFileTypes: true }) =>
      shuffle(fs.readdirSync(folder, options))) as typeof fs.readdirSync,
    promises: {
      ...fs.promises,
      readdir: (async (folder: string, options: { withFileTypes: true }) =>
        shuffle(await fs.promises.readdir(folder, options))) as unknown as typeof fs.promises.readdir,
    },
  })
}

test.each(['inline', 'chunks'] as const)(
  'X10: the same tree in two places gives the same bytes of every module: %s',
  async (content) => {
    const here = await modulesOf(writeTree(FILES), content)
    const there = await modulesOf(writeTree(FILES, temporaryFolder('some (other)/[place] é')), content)
    expect(Object.keys(here).length).toBeGreaterThan(8)
    expect(there).toEqual(here)
    expect(Object.keys(there)).toEqual(Object.keys(here))
  },
)

test('X10: and so does a file system that lists names in another order', async () => {
  const root = writeTree(FILES)
  const expected = await modulesOf(root, 'chunks')
  for (const seed of [1, 2, 3, 4]) {
    const { skills } = await compileFrom(shuffled(seed), resolveOptions('skills/**', { root }))
    expect(written(skills, 'chunks')).toEqual(expected)
  }
})

test.each(['inline', 'chunks'] as const)(
  'X10: a bundle does not tell where it was built: %s',
  async (content) => {
    const bundles = await Promise.all(
      [temporaryFolder(), temporaryFolder('some (other)/[place] é')].map(async (folder) => {
        const root = writeTree({ ...FILES, 'entry.js': "export { default } from 'virtual:skills'" }, folder)
        const built = await build({
          root,
          configFile: false,
          logLevel: 'error',
          plugins: [embedSkills({ from: 'skills/**', content })],
          build: { write: false, ssr: path.join(root, 'entry.js') },
        })
        const { output } = built as Rolldown.RolldownOutput
        return output.map((file) => [file.fileName, 'code' in file ? file.code : file.source])
      }),
    )
    expect(bundles[1]).toEqual(bundles[0])
  },
)

test('one more skill changes no id, and no contents of another skill', async () => {
  const before = await modulesOf(writeTree(FILES), 'chunks')
  const more = { 'skills/a/SKILL.md': skillMd('a'), 'skills/a/x.md': 'Of its own' }
  const after = await modulesOf(writeTree({ ...FILES, ...more }), 'chunks')
  const added = Object.keys(after).filter((id) => !(id in before))
  expect(added).toEqual(['virtual:skills/a', 'virtual:skills/~/a'])
  const changed = Object.keys(before).filter((id) => before[id] !== after[id])
  expect(changed).toEqual(['virtual:skills'])
})

/** The modules that one reaches, itself included. */
function reachable(id: string, modules: Record<string, string>, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found
  found.add(id)
  for (const [, next] of modules[id]!.matchAll(/(?:from |import\()"([^"]+)"/g))
    reachable(next!, modules, found)
  return found
}

test.each(['inline', 'chunks'] as const)(
  'N8: a nested skill imported alone carries its own bytes and no other: %s',
  async (content) => {
    const root = writeTree({ ...FILES, 'entry.js': "export { default } from 'virtual:skills/outer/inner'" })
    const modules = await modulesOf(root, content)
    const carried = [...reachable('virtual:skills/outer/inner', modules)].map((id) => modules[id]!)
    const built = await build({
      root,
      configFile: false,
      logLevel: 'error',
      plugins: [embedSkills({ from: 'skills/**', content })],
      build: { write: false, ssr: path.join(root, 'entry.js') },
    })
    const { output } = built as Rolldown.RolldownOutput
    const bundled = output.map((file) => ('code' in file ? file.code : ''))
    for (const code of [carried.join('\n'), bundled.join('\n')]) {
      expect(code).toContain('The inner skill holds this')
      expect(code).toContain('Body of inner.')
      for (const foreign of ['Only the outer', 'Body of outer', 'Body of b', 'Capital', LICENSE])
        expect(code).not.toContain(foreign)
    }
  },
)
