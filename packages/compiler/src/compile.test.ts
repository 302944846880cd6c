import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { compile, compileFrom } from './compile.ts'
import { resolveOptions } from './options.ts'
import { createDisk } from './read/disk.ts'
import type { RawDisk } from './read/disk.ts'
import { broken, compileOne, compileTree, lines, skillMd, tree } from './testing/tree.ts'
import type { Tree } from './testing/tree.ts'
import type { CompileResult, SourceInput } from './types.ts'

const TREE: Tree = {
  'skills/refunds/SKILL.md': skillMd('refunds'),
  'skills/refunds/templates/mail.md': 'Dear …',
  'skills/refunds/.env': 'SECRET=1',
  'skills/support/SKILL.md': skillMd('support'),
  'skills/support/x/': '',
  'skills/broken/SKILL.md': '---\nname: wrong\n---\n',
}

/** The real disk, with other answers for some of its calls. */
function rawDisk(changes: Partial<Pick<RawDisk, 'readdirSync' | 'readFileSync'>>): RawDisk {
  return { readdirSync: fs.readdirSync, readFileSync: fs.readFileSync, promises: fs.promises, ...changes }
}

/** The result without what is absolute. */
function portable({ skills, diagnostics }: CompileResult): unknown {
  return { diagnostics, skills: skills.map((skill) => ({ ...skill, folder: '' })) }
}

test('a skill is its path, URI, frontmatter and files', async () => {
  const root = tree({ 'skills/refunds/SKILL.md': skillMd('refunds') })
  const { skills } = await compile('skills/*', { root })
  expect(skills).toEqual([
    {
      path: 'refunds',
      uri: 'skill://refunds/SKILL.md',
      frontmatter: { name: 'refunds', description: 'Does refunds.' },
      files: [
        {
          path: 'SKILL.md',
          uri: 'skill://refunds/SKILL.md',
          mimeType: 'text/markdown',
          bytes: Buffer.from(skillMd('refunds')),
          digest: expect.stringMatching(/^sha256:[\da-f]{64}$/),
          size: 55,
          kind: 'text',
        },
      ],
      emptyDirectories: [],
      folder: `${root}/skills/refunds`,
    },
  ])
})

test('all problems of all skills are reported together, by file and line', async () => {
  const result = await compileTree(TREE)
  expect(lines(result)).toEqual([
    'skills/broken/SKILL.md:1:1 error description: `description` is missing',
    'skills/broken/SKILL.md:2:7 error name-mismatch: `name` is `wrong`, but the folder is `broken`',
    'skills/refunds/.env warning dot-name: `.env` is left out, since its name begins with a dot',
  ])
  expect(result.skills.map((skill) => skill.path)).toEqual(['refunds', 'support'])
})

test('the result does not depend on where the tree lies', async () => {
  const here = await compile('skills/*', { root: tree(TREE) })
  const there = await compile('skills/*', { root: tree(TREE, 'some (other)/[place]') })
  expect(portable(there)).toEqual(portable(here))
})

test('nor on the order in which the file system lists names', async () => {
  const root = tree(TREE)
  const backwards = rawDisk({
    readdirSync: ((folder: string, options: { withFileTypes: true }) =>
      fs.readdirSync(folder, options).reverse()) as RawDisk['readdirSync'],
  })
  const options = resolveOptions('skills/**', { root })
  expect(await compileFrom(createDisk(backwards), options)).toEqual(await compileFrom(createDisk(), options))
})

test('nor on the order of the sources', async () => {
  const root = tree(TREE)
  const sources: SourceInput[] = ['skills/refunds', 'skills/support', { from: 'skills/broken', prefix: 'x' }]
  expect(await compile(sources.toReversed(), { root })).toEqual(await compile(sources, { root }))
})

test('a slow disk is read through the thread pool, with the same result', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`skills/a/${index}.md`, `${index}`]),
  )
  const root = tree({ 'skills/a/SKILL.md': skillMd('a'), ...files })
  let calls = 0
  const slow = rawDisk({
    readFileSync: ((file: string) => {
      calls++
      const until = performance.now() + 10
      while (performance.now() < until);
      return fs.readFileSync(file)
    }) as RawDisk['readFileSync'],
  })
  const options = resolveOptions('skills/*', { root })
  expect(await compileFrom(createDisk(slow), options)).toEqual(await compileFrom(createDisk(), options))
  expect(calls).toBeLessThan(15)
})

test('folders and files are read once, however many skills and sources share them', async () => {
  const root = tree({
    'skills/outer/SKILL.md': skillMd('outer'),
    'skills/outer/inner/SKILL.md': skillMd('inner'),
  })
  const seen: string[] = []
  const counting = rawDisk({
    readdirSync: ((folder: string, options: { withFileTypes: true }) => {
      seen.push(folder)
      return fs.readdirSync(folder, options)
    }) as RawDisk['readdirSync'],
    readFileSync: ((file: string) => {
      seen.push(file)
      return fs.readFileSync(file)
    }) as RawDisk['readFileSync'],
  })
  await compileFrom(createDisk(counting), resolveOptions(['skills/**', 'skills/*'], { root }))
  expect(seen.toSorted()).toEqual([...new Set(seen)].toSorted())
})

test('a file that vanishes or may not be read is a diagnostic', async () => {
  const root = tree({ ...TREE, 'skills/support/gone.md': '', 'skills/support/locked/x.md': '' })
  const failing = rawDisk({
    readdirSync: ((folder: string, options: { withFileTypes: true }) => {
      if (folder.endsWith('locked')) throw Object.assign(new Error(), { code: 'EACCES' })
      return fs.readdirSync(folder, options)
    }) as RawDisk['readdirSync'],
    readFileSync: ((file: string) => {
      if (file.endsWith('gone.md')) throw Object.assign(new Error(), { code: 'ENOENT' })
      if (file.endsWith('refunds/SKILL.md')) throw Object.assign(new Error(), { code: 'EIO' })
      return fs.readFileSync(file)
    }) as RawDisk['readFileSync'],
  })
  const options = resolveOptions(['skills/*', '!skills/broken'], { root, rules: { 'dot-name': 'off' } })
  const result = await compileFrom(createDisk(failing), options)
  expect(result.skills).toEqual([])
  expect(lines(result)).toEqual([
    'skills/refunds/SKILL.md error unreadable: It cannot be read: EIO',
    'skills/support/gone.md error unreadable: It cannot be read: it vanished meanwhile',
    'skills/support/locked error unreadable: It cannot be read: permission denied',
  ])
})

test('what is watched: files, folders walked, and bases that are missing', async () => {
  const root = tree(TREE)
  const { watch } = await compile(['skills/*', 'later/on/*'], { root })
  const relative = (paths: readonly string[]): string[] => paths.map((path) => path.slice(root.length + 1))
  expect(relative(watch.files)).toEqual([
    'skills/broken/SKILL.md',
    'skills/refunds/SKILL.md',
    'skills/refunds/templates/mail.md',
    'skills/support/SKILL.md',
  ])
  expect(relative(watch.missing)).toEqual(['later/on'])
  expect(relative(watch.directories)).toEqual([
    'skills',
    'skills/broken',
    'skills/refunds',
    'skills/refunds/templates',
    'skills/support',
    'skills/support/x',
  ])
})

test('severities are set by rule', async () => {
  const text = '---\nname: other\ndescription: d\n---\n'
  const warned = await compileOne(text, { rules: { 'name-mismatch': 'warning' } })
  expect(lines(warned)[0]).toContain('warning name-mismatch')
  expect(warned.skills).toHaveLength(1)
  const silent = await compileOne(text, { rules: { 'name-mismatch': 'off' } })
  expect([silent.diagnostics, silent.skills.length]).toEqual([[], 1])
})

test('a skill without frontmatter is left out, however mild the rule', async () => {
  const result = await compileOne('No fence.', { rules: { fence: 'info' } })
  expect([broken(result), result.skills]).toEqual([['fence'], []])
})

test.each([
  [7, {}, 'A source is a glob'],
  [null, {}, 'A source is a glob'],
  [{}, {}, 'A source is a glob'],
  [[], {}, 'No sources'],
  [['!x'], {}, 'No sources'],
  ['', {}, 'A glob must be a string'],
  [{ from: [7] }, {}, 'A glob must be a string'],
  [
    'skills/*',
    { rules: { 'name-missmatch': 'off' } },
    'There is no rule `name-missmatch`. The nearest are `name-mismatch`',
  ],
  ['skills/*', { rules: { name: 'loud' } }, 'The severity of `name` must be one of'],
  ['skills/*', { rules: { 'duplicate-uri': 'off' } }, '`duplicate-uri` is always an error'],
])('compile(%j, %j) is a TypeError: %s', async (sources, options, message) => {
  const promise = compile(sources as unknown as SourceInput, options as object)
  await expect(promise).rejects.toThrow(TypeError)
  await expect(promise).rejects.toThrow(message)
})

test('the folder around a skill that is named alone is not watched: a build may write there', async () => {
  const root = tree({ 'refunds/SKILL.md': skillMd('refunds'), 'dist/index.js': '' })
  const { watch } = await compile('refunds', { root })
  expect(watch.directories).toEqual([path.join(root, 'refunds')])
})
