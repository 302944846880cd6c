import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { compile } from '../compile.ts'
import { broken, compileTree, lines, skillMd, tree } from '../testing/tree.ts'
import type { Vendor } from '../types.ts'
import { vendorSkills } from './vendor.ts'

afterEach(() => vi.unstubAllEnvs())

test('a package brings its skills', async () => {
  const files = {
    'node_modules/@acme/sdk/package.json': '{ "name": "@acme/sdk", "exports": {} }',
    'node_modules/@acme/sdk/skills/refunds/SKILL.md': skillMd('refunds'),
    'node_modules/@acme/sdk/extra/deep/notes/SKILL.md': skillMd('notes'),
    'app/package.json': '{}',
  }
  const root = path.join(tree(files), 'app')
  const sources = [
    { package: '@acme/sdk' },
    { package: '@acme/sdk', from: ['extra/**'], prefix: 'acme', ignore: ['**/drafts'] },
  ]
  const result = await compile(sources, { root })
  expect(lines(result)).toEqual([])
  expect(result.skills.map((skill) => skill.path)).toEqual(['acme/deep/notes', 'refunds'])
})

test('a package that is not installed is an error that says so, and it can be installed later', async () => {
  const result = await compileTree({ 'package.json': '{}' }, { package: '@acme/sdk' })
  expect(lines(result)).toEqual([
    'node_modules/@acme/sdk/skills error no-skills: `skills/*` matches no skill folder',
  ])
  expect(result.diagnostics[0]?.help).toContain('Install `@acme/sdk`')
  await expect(compile({ package: '../x' })).rejects.toThrow('no package name')
})

test.each<[Vendor, string]>([
  ['claude', '.claude/skills'],
  ['cursor', '.cursor/skills'],
  ['copilot', '.github/skills'],
  ['codex', '.agents/skills'],
  ['codex', '.codex/skills'],
  ['gemini', '.gemini/skills'],
  ['goose', '.goose/skills'],
  ['opencode', '.opencode/skills'],
])("S2: the project's skills of %s are in %s", async (vendor, folder) => {
  const result = await compileTree(
    { [`${folder}/refunds/SKILL.md`]: skillMd('refunds') },
    vendorSkills(vendor),
  )
  expect(lines(result)).toEqual([])
  expect(result.skills.map((skill) => skill.path)).toEqual(['refunds'])
})

test("S2: the home directory's skills come only when asked for, with a warning", async () => {
  const home = tree({ '.config/goose/skills/refunds/SKILL.md': skillMd('refunds') })
  vi.stubEnv('HOME', home)
  vi.stubEnv('USERPROFILE', home)
  const root = tree({ 'package.json': '{}' })
  expect(broken(await compile(vendorSkills('goose'), { root }))).toEqual(['no-skills'])
  const result = await compile(vendorSkills('goose', { scope: 'user', prefix: 'goose' }), { root })
  expect(result.skills.map((skill) => skill.path)).toEqual(['goose/refunds'])
  expect(result.diagnostics).toMatchObject([{ rule: 'user-scope', severity: 'warning' }])
  expect(result.diagnostics[0]?.message).toContain('depends on this machine')
})

test.each([
  [{ from: 'skills/*', prefx: 'acme' }, 'A source: there is no option `prefx`. Is `prefix` meant?'],
  [{ package: 'acme', base: '.' }, 'A source of a package: there is no option `base`.'],
  [{ vendor: 'claude', form: 'x' }, 'A source of an agent: there is no option `form`.'],
])('%j has an option that nobody knows', async (source, message) => {
  await expect(compileTree({}, source as never)).rejects.toThrow(message)
})

test.each([
  [{ from: 'skills/*', ignore: 'draft' }, 'A source: `ignore` is an array of globs; got "draft"'],
  [{ from: 'skills/*', rename: { a: 1 } }, '`rename` is an object of skill paths'],
  [{ package: 'acme', binary: 'x' }, '`binary` is true, false or an array of globs'],
  [{ from: 'skills/*', base: 5 }, '`base` is the path of a folder; got 5'],
])('%j has an option of another type', async (source, message) => {
  await expect(compileTree({}, source as never)).rejects.toThrow(message)
})

test('an agent or a scope that does not exist is a TypeError', () => {
  expect(() => vendorSkills('emacs' as Vendor)).toThrow('There is no agent')
  expect(() => vendorSkills('claude', { scope: 'global' as 'user' })).toThrow('scope')
})

test('S3: a main file of another name is served as SKILL.md, in nested skills too', async () => {
  const files = {
    'skills/refunds/README.md': skillMd('refunds'),
    'skills/refunds/sub/README.md': skillMd('sub'),
    'skills/refunds/docs/a.md': '',
  }
  const result = await compileTree(files, { from: 'skills/**', mainFile: 'README.md' })
  expect(lines(result)).toEqual([])
  expect(result.skills.map(({ uri, files }) => [uri, files.map((file) => file.path)])).toEqual([
    ['skill://refunds/SKILL.md', ['SKILL.md', 'docs/a.md', 'sub/SKILL.md']],
    ['skill://refunds/sub/SKILL.md', ['SKILL.md']],
  ])
  expect(result.skills[0]?.files[0]?.mimeType).toBe('text/markdown')
})

test('packages and agents take the options of other sources too', async () => {
  const files = {
    'node_modules/sdk/skills/refunds/SKILL.md': skillMd('acme-refunds'),
    'node_modules/sdk/skills/refunds/.rels': '',
    'node_modules/sdk/skills/drafts/SKILL.md': skillMd('drafts'),
    '.claude/skills/b/SKILL.md': skillMd('b'),
    '.claude/skills/b/logo.png': Uint8Array.of(0),
  }
  const rename = { refunds: 'acme-refunds' }
  const result = await compileTree(files, [
    { package: 'sdk', from: ['skills/*', '!skills/drafts'], rename, include: ['**/.rels'] },
    vendorSkills('claude', { binary: false }),
  ])
  expect(result.skills[0]).toMatchObject({ path: 'acme-refunds', files: [{}, { path: '.rels' }] })
  expect(broken(result)).toEqual(['binary-file'])
})

test('faults of a main file of another name are reported where it is', async () => {
  const files = {
    'skills/a/README.md': '# no frontmatter',
    'skills/b/README.md': skillMd('b'),
    'skills/b/SKILL.md': skillMd('b'),
    'skills/c/x.md': '',
  }
  const result = await compileTree(files, { from: 'skills/*', mainFile: 'README.md' })
  expect(lines(result).map((line) => line.split(' error ')[0])).toEqual([
    'skills/a/README.md:1:1',
    'skills/b/SKILL.md',
    'skills/c',
  ])
  expect(broken(result)).toEqual(['fence', 'main-file', 'skill-md-missing'])
  await expect(compile({ from: 'x/*', mainFile: 'a/b.md' })).rejects.toThrow('mainFile')
})
