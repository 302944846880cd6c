import { expect, test } from 'vitest'
import { compile } from '../compile.ts'
import { Link, broken, compileTree, lines, skillMd, tree } from '../testing/tree.ts'
import type { SourceInput } from '../types.ts'

const FLAT = { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/README.md': 'Not a skill.' }
const DEEP = {
  'skills/acme/billing/refunds/SKILL.md': skillMd('refunds'),
  'skills/acme/billing/README.md': 'Not a skill.',
  'skills/acme/support/SKILL.md': skillMd('support'),
}

async function paths(files: Record<string, string>, sources: SourceInput | SourceInput[]): Promise<string[]> {
  const result = await compileTree(files, sources)
  expect(lines(result)).toEqual([])
  return result.skills.map((skill) => skill.path)
}

test('S1, N5: what follows the fixed part of the glob is the skill path', async () => {
  expect(await paths(FLAT, 'skills/*')).toEqual(['refunds'])
  expect(await paths(FLAT, './skills/*/')).toEqual(['refunds'])
  expect(await paths(FLAT, 'skills/**')).toEqual(['refunds'])
  expect(await paths(DEEP, 'skills/**')).toEqual(['acme/billing/refunds', 'acme/support'])
  expect(await paths(DEEP, 'skills/acme/billing/*')).toEqual(['refunds'])
  expect(await paths(DEEP, 'skills/acme/{billing/*,support}')).toEqual(['refunds', 'support'])
})

test('S1: a single folder is a source, and its name the path', async () => {
  expect(await paths(FLAT, 'skills/refunds')).toEqual(['refunds'])
  expect(await paths(FLAT, { from: '.', base: 'skills/refunds' })).toEqual(['refunds'])
})

test('a glob may lead out of the root', async () => {
  const root = tree({ 'other/refunds/SKILL.md': skillMd('refunds'), 'app/package.json': '{}' })
  const result = await compile('../other/*', { root: `${root}/app` })
  expect(result.skills.map((skill) => skill.path)).toEqual(['refunds'])
})

test('an absolute glob is accepted below its base only', async () => {
  const root = tree(FLAT, 'a (x)/[y]')
  const result = await compile(`${root}/skills/*`, { root })
  expect(result.skills.map((skill) => skill.path)).toEqual(['refunds'])
  await expect(compile('/elsewhere/skills/*', { root })).rejects.toThrow(/absolute.*base/)
})

test('folders with glob characters above and below the skills are no globs', async () => {
  const files = {
    'skills/refunds/SKILL.md': skillMd('refunds'),
    'skills/refunds/app/[id]/{a,b}/!(x)*.md': 'x',
  }
  const root = tree(files, 'a (x)/[y]/{z}')
  for (const glob of ['skills/*', 'skills/**', 'skills/refunds']) {
    const { skills, diagnostics } = await compile(glob, { root, rules: { 'portable-name': 'off' } })
    expect(diagnostics).toEqual([])
    expect(skills[0]?.files.map((file) => file.path)).toEqual(['SKILL.md', 'app/[id]/{a,b}/!(x)*.md'])
  }
})

test('`base` and `prefix`', async () => {
  const source = { from: '*', base: 'skills', prefix: 'acme/billing' }
  expect(await paths(FLAT, source)).toEqual(['acme/billing/refunds'])
})

test('a prefix with other characters is an error', async () => {
  for (const prefix of ['.acme', 'a b', 'acme//x', '/acme', 'acme/', 'ümlaut']) {
    const result = await compileTree(FLAT, { from: 'skills/*', prefix })
    expect(broken(result)).toEqual(['prefix'])
    expect(result.skills).toEqual([])
    expect(result.diagnostics[0]?.file).toBe('skills')
  }
})

test('a folder of `**` with other characters is an error that names it', async () => {
  const files = { 'skills/a b/refunds/SKILL.md': skillMd('refunds') }
  expect(lines(await compileTree(files, 'skills/**'))).toEqual([
    'skills/a b error prefix: The folder `a b` cannot be part of a skill path',
  ])
})

test('a matched folder without SKILL.md is an error, with what may have been meant', async () => {
  const { diagnostics } = await compileTree({
    ...DEEP,
    'skills/lower/skill.md': skillMd('lower'),
    'skills/none/README.md': '',
  })
  expect(diagnostics.map(({ rule, file, help }) => [rule, file, help])).toEqual([
    [
      'skill-md-missing',
      'skills/acme',
      'There is one in `billing/refunds` below: write `skills/**` to find skills at any depth, or leave the folder out with `!skills/acme`.',
    ],
    ['skill-md-missing', 'skills/lower', 'Rename `skill.md` to `SKILL.md`: the case of its letters counts.'],
    ['skill-md-missing', 'skills/none', 'Write one, or leave the folder out with `!skills/none`.'],
  ])
})

test('`**` passes over folders without SKILL.md, and warns of a skill.md', async () => {
  const result = await compileTree({ ...DEEP, 'skills/lower/skill.md': skillMd('lower') }, 'skills/**')
  expect(result.skills).toHaveLength(2)
  expect(broken(result)).toEqual(['skill-md-case'])
})

test('`**` leaves no path for a SKILL.md where it begins', async () => {
  const result = await compileTree({ 'skills/SKILL.md': skillMd('skills') }, 'skills/**')
  expect(broken(result)).toEqual(['root-skill'])
})

test('a glob that matches nothing is an error', async () => {
  const result = await compileTree(FLAT, ['skils/*', 'skills/*/SKILL.md', 'skills/refunds'])
  expect(result.skills).toHaveLength(1)
  expect(result.diagnostics.map(({ rule, help }) => [rule, help])).toEqual([
    ['no-skills', 'A glob names the folders of skills: leave out `/SKILL.md`.'],
    [
      'no-skills',
      'There is no folder `skils`. Mend the path, or set `base` to the folder that it starts from.',
    ],
  ])
})

test('a glob that matches nothing says what may be wrong with its quotes and slashes', async () => {
  const help = async (glob: string): Promise<string | undefined> =>
    (await compileTree(FLAT, glob)).diagnostics[0]?.help
  for (const glob of ["'skills/*'", '"skills/*"']) expect(await help(glob)).toContain('leave them out')
  expect(await help('skills\\*')).toBe('Write `/` between folders: `skills/*`.')
  expect(await help('C:\\app\\skills\\**')).toBe('Write `/` between folders: `C:/app/skills/**`.')
  expect(await help('skills/\\(draft\\)/*')).toContain('There is no folder `skills/(draft)`')
  expect(await help('skills/README.md')).toContain('This is a file.')
  expect(await help('skills/refund')).toBe('There is no folder `skills/refund`. Mend the path.')
})

test('a folder of skills that is named like a skill is told from one', async () => {
  const help = async (source: SourceInput): Promise<string | undefined> =>
    (await compileTree(FLAT, source)).diagnostics[0]?.help
  const below = 'to find skills at any depth.'
  expect(await help('skills')).toBe(`There is one in \`refunds\` below: write \`skills/**\` ${below}`)
  expect(await help('.')).toBe(`There is one in \`skills/refunds\` below: write \`**\` ${below}`)
})

test('a single folder that is not there is named', async () => {
  const { diagnostics } = await compileTree(FLAT, { from: '.', base: 'skills/refund' })
  expect(diagnostics.map(({ message, help }) => [message, help])).toEqual([
    ['`skills/refund` matches no skill folder', 'There is no folder `skills/refund`. Mend the path.'],
  ])
})

test('`!` leaves folders and files out of all string sources', async () => {
  const files = {
    ...FLAT,
    'skills/draft/notes.md': '',
    'skills/refunds/tests/deep/x.md': '',
    'skills/refunds/a.test.md': '',
    'skills/refunds/.env': 'SECRET=1',
    'skills/refunds/kept.md': '',
  }
  const globs = ['skills/*', '!skills/draft', '!**/tests', '!skills/*/*.test.md', '!**/.env']
  const result = await compileTree(files, globs)
  expect(lines(result)).toEqual([])
  expect(result.skills[0]?.files.map((file) => file.path)).toEqual(['SKILL.md', 'kept.md'])
  expect(result.skills[0]?.emptyDirectories).toEqual([])
})

test('`!` in the `from` of an object leaves out of that object alone', async () => {
  const files = { ...FLAT, 'skills/draft/SKILL.md': skillMd('draft') }
  const from = ['*', '!draft']
  expect(await paths(files, { from, base: 'skills', prefix: 'acme' })).toEqual(['acme/refunds'])
  expect(await paths(files, [{ from, base: 'skills', prefix: 'acme' }, 'skills/draft'])).toEqual([
    'acme/refunds',
    'draft',
  ])
  expect(await paths(files, { from: '!(draft)', base: 'skills' })).toEqual(['refunds'])
  await expect(compileTree(files, { from: ['!skills/draft'] })).rejects.toThrow('No sources')
})

test('`ignore` starts from `base`, and may name one file', async () => {
  const files = { ...FLAT, 'skills/refunds/notes.md': '', 'skills/refunds/x/y.md': '' }
  const source = { from: '*', base: 'skills', ignore: ['refunds/notes.md', 'refunds/x/**'] }
  const { skills } = await compileTree(files, source)
  expect(skills[0]?.files.map((file) => file.path)).toEqual(['SKILL.md'])
})

test('folders with a leading dot are found where the glob names them, and only there', async () => {
  const files = { '.claude/skills/refunds/SKILL.md': skillMd('refunds'), ...FLAT }
  expect(await paths(files, '.claude/skills/*')).toEqual(['refunds'])
  expect(await paths(files, '**')).toEqual(['skills/refunds'])
})

test('node_modules is searched only where the glob leads there', async () => {
  const files = {
    'node_modules/@acme/sdk/skills/refunds/SKILL.md': skillMd('refunds'),
    'skills/support/SKILL.md': skillMd('support'),
  }
  expect(await paths(files, '**')).toEqual(['skills/support'])
  expect(await paths(files, 'node_modules/@acme/sdk/skills/*')).toEqual(['refunds'])
})

test('a symlinked skill is not followed, and said; a circle of links is no trouble', async () => {
  const files = {
    'skills/refunds/SKILL.md': skillMd('refunds'),
    'skills/refunds/loop': new Link('..'),
    'skills/linked': new Link('refunds'),
    'skills/notes': new Link('README.md'),
  }
  for (const glob of ['skills/*', 'skills/**']) {
    const result = await compileTree(files, glob)
    expect(result.skills.map((skill) => skill.path)).toEqual(['refunds'])
    expect(lines(result)).toEqual([
      'skills/linked warning symlink: A symlink is not followed, so that this is no skill',
      'skills/refunds/loop warning symlink: `loop` is left out, since it is a symlink',
    ])
  }
})
