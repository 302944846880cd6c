import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { compile, createCompiler } from './compile.ts'
import { skillMd, tree } from './testing/tree.ts'

const FILES = {
  'skills/a/SKILL.md': skillMd('a'),
  'skills/a/x.md': 'x',
  'skills/a/sub/SKILL.md': skillMd('sub'),
  'skills/b/SKILL.md': skillMd('b'),
  'skills/b/drafts/y.md': 'y',
}
const SOURCES = ['skills/**', '!**/drafts']

/** Each changes the tree in one way, and gives what a watcher would report. */
const CHANGES: Record<string, (at: (file: string) => string) => string[]> = {
  'a file is edited': (at) => {
    fs.writeFileSync(at('skills/a/x.md'), 'other')
    return [at('skills/a/x.md')]
  },
  'a file of a nested skill is edited': (at) => {
    fs.appendFileSync(at('skills/a/sub/SKILL.md'), 'more')
    return [at('skills/a/sub/SKILL.md')]
  },
  'a SKILL.md breaks': (at) => {
    fs.writeFileSync(at('skills/b/SKILL.md'), '---\nname: c\n---\n')
    return [at('skills/b/SKILL.md')]
  },
  'a file is added': (at) => {
    fs.writeFileSync(at('skills/b/new.md'), 'new')
    return [at('skills/b/new.md')]
  },
  'a file is added below a new folder, and only the file is reported': (at) => {
    fs.mkdirSync(at('skills/b/p/q'), { recursive: true })
    fs.writeFileSync(at('skills/b/p/q/new.md'), 'new')
    return [at('skills/b/p/q/new.md')]
  },
  'a file is removed': (at) => {
    fs.rmSync(at('skills/a/x.md'))
    return [at('skills/a/x.md')]
  },
  'a file is renamed, and only the folder is reported': (at) => {
    fs.renameSync(at('skills/a/x.md'), at('skills/a/z.md'))
    return [at('skills/a')]
  },
  'a skill is added': (at) => {
    fs.mkdirSync(at('skills/c'))
    fs.writeFileSync(at('skills/c/SKILL.md'), skillMd('c'))
    return [at('skills/c/SKILL.md')]
  },
  'a skill is removed': (at) => {
    fs.rmSync(at('skills/b'), { recursive: true })
    return [at('skills/b')]
  },
  'a nested skill is removed': (at) => {
    fs.rmSync(at('skills/a/sub'), { recursive: true })
    return [at('skills/a/sub/SKILL.md'), at('skills/a/sub')]
  },
  'a skill is renamed': (at) => {
    fs.renameSync(at('skills/b'), at('skills/d'))
    return [at('skills/b'), at('skills/d')]
  },
  'something ignored is added': (at) => {
    fs.writeFileSync(at('skills/b/drafts/z.md'), 'z')
    return [at('skills/b/drafts/z.md')]
  },
  'all of it goes': (at) => {
    fs.rmSync(at('skills'), { recursive: true })
    return [at('skills')]
  },
}

test.each(Object.entries(CHANGES))('%s: as if compiled anew, told of it or not', async (_, change) => {
  const root = tree(FILES)
  const [told, untold] = [createCompiler(SOURCES, { root }), createCompiler(SOURCES, { root })]
  await Promise.all([told.compile(), untold.compile()])
  const changed = change((file) => path.join(root, file))
  const fresh = await compile(SOURCES, { root })
  expect(await told.compile(changed)).toEqual(fresh)
  expect(await untold.compile()).toEqual(fresh)
})

test('what was gone comes back', async () => {
  const root = tree(FILES)
  const compiler = createCompiler(SOURCES, { root })
  const before = await compiler.compile()
  const [here, away] = [path.join(root, 'skills'), path.join(root, 'away')]
  fs.renameSync(here, away)
  expect((await compiler.compile([here])).skills).toEqual([])
  fs.renameSync(away, here)
  expect(await compiler.compile([path.join(here, 'a', 'SKILL.md')])).toEqual(before)
})

test('skills that did not change are the same objects', async () => {
  const root = tree(FILES)
  const compiler = createCompiler(SOURCES, { root })
  const before = await compiler.compile()
  const file = path.join(root, 'skills/b/SKILL.md')
  fs.writeFileSync(file, fs.readFileSync(file))
  expect((await compiler.compile([file])).skills.every((skill, i) => skill === before.skills[i])).toBe(true)
  fs.appendFileSync(file, 'more')
  const after = await compiler.compile([file])
  expect(after.skills.map((skill, i) => skill === before.skills[i])).toEqual([true, true, false])
})

test('what globs select stays selected, and what they take in is seen to change', async () => {
  const files = {
    'skills/a/SKILL.md': skillMd('a'),
    'skills/a/.hidden/x.md': 'x',
    'skills/a/logo.png': Uint8Array.of(0),
    'skills/b/SKILL.md': skillMd('b'),
  }
  const root = tree(files)
  const source = { from: ['skills/*', '!skills/c'], include: ['**/.hidden/*'], binary: ['**/logo.png'] }
  const compiler = createCompiler(source, { root })
  const before = await compiler.compile()
  const changed = path.join(root, 'skills/a/.hidden/x.md')
  fs.writeFileSync(changed, 'other')
  const edited = await compiler.compile([changed])
  expect(edited).toEqual(await compile(source, { root }))
  expect(edited.skills.map((skill, i) => skill === before.skills[i])).toEqual([false, true])
  fs.writeFileSync(path.join(root, 'skills/a/.hidden/y.md'), 'y')
  fs.mkdirSync(path.join(root, 'skills/c'))
  const added = await compiler.compile([
    path.join(root, 'skills/a/.hidden/y.md'),
    path.join(root, 'skills/c'),
  ])
  expect(added).toEqual(await compile(source, { root }))
  expect(added.skills[0]!.files.map((file) => file.path)).toContain('.hidden/y.md')
})
