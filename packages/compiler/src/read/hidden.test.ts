import { expect, test } from 'vitest'
import { compileTree, skillMd } from '../testing/tree.ts'

const files = {
  'skills/a/SKILL.md': skillMd('a'),
  'skills/a/.x': 'x',
  'skills/a/.config/a/b.json': '{}',
  'skills/a/.config/c.json': '{}',
  'skills/a/.git/config': 'x',
  'skills/a/node_modules/p/index.js': 'x',
  'skills/a/lib/__pycache__/m.pyc': 'x',
}

async function taken(...include: string[]): Promise<string[]> {
  const { skills } = await compileTree(files, { from: 'skills/*', include })
  return skills[0]!.files.map((file) => file.path).slice(1)
}

test('what a glob names is taken in, and the folders on the way to it', async () => {
  expect(await taken()).toEqual([])
  expect(await taken('**/.x')).toEqual(['.x'])
  expect(await taken('**/.config/a/**')).toEqual(['.config/a/b.json'])
  expect(await taken('skills/a/.config/**')).toEqual(['.config/a/b.json', '.config/c.json'])
  expect(await taken('**/node_modules/p/**')).toEqual(['node_modules/p/index.js'])
  expect(await taken('**/*.pyc')).toEqual(['lib/__pycache__/m.pyc'])
})

test('the history of a repository never is, nor packages that no glob names', async () => {
  expect(await taken('**')).toEqual(['.config/a/b.json', '.config/c.json', '.x', 'lib/__pycache__/m.pyc'])
})

test('`ignore` wins', async () => {
  const source = { from: 'skills/*', include: ['**/.config/**'], ignore: ['**/c.json'] }
  const { skills, diagnostics } = await compileTree(files, source)
  expect(skills[0]!.files.map((file) => file.path)).toEqual(['SKILL.md', '.config/a/b.json'])
  expect(diagnostics.map(({ file }) => file)).toEqual([
    'skills/a/.git',
    'skills/a/.x',
    'skills/a/lib/__pycache__',
    'skills/a/node_modules',
  ])
})

test('binary files are told by their bytes and by their types', async () => {
  const more = {
    ...files,
    'skills/a/x.png': 'ascii',
    'skills/a/y.md': 'a\0b',
    'skills/a/z': 'x',
    'skills/a/w.svg': '<svg/>',
  }
  const denied = async (binary: boolean | string[]): Promise<string[]> => {
    const { diagnostics } = await compileTree(more, { from: 'skills/*', binary })
    return diagnostics
      .filter(({ rule }) => rule === 'binary-file')
      .map(({ file }) => file.slice('skills/a/'.length))
  }
  expect(await denied(true)).toEqual([])
  expect(await denied(false)).toEqual(['x.png', 'y.md', 'z'])
  expect(await denied(['**/*.png', 'skills/a/z'])).toEqual(['y.md'])
})
