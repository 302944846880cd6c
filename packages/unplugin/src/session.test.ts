import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Session } from './session.ts'

function project(files: Record<string, string>): string {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'embed-skills-session-'))
  onTestFinished(() => fs.rmSync(root, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    fs.writeFileSync(path.join(root, name), text)
  }
  return root
}

const skillMd = (name: string): string => `---\nname: ${name}\ndescription: d\n---\n`
const FILES = { 'skills/a/SKILL.md': skillMd('a'), 'skills/a/x.md': 'x', 'skills/b/SKILL.md': skillMd('b') }

test('an edit changes the index and the contents of that skill, and nothing else', async () => {
  const root = project(FILES)
  const session = new Session({ from: 'skills/*', root })
  const ids = [
    'virtual:skills',
    'virtual:skills/a',
    'virtual:skills/b',
    'virtual:skills/~/a',
    'virtual:skills/~/b',
  ]
  const versions = (): Promise<string[]> => Promise.all(ids.map((id) => session.version(id, {})))
  const before = await versions()
  fs.writeFileSync(path.join(root, 'skills/a/x.md'), 'other')
  session.invalidate([path.join(root, 'skills/a/x.md')])
  const after = await versions()
  expect(after.map((version, index) => version === before[index])).toEqual([false, false, true, false, true])
})

test('a change that changes nothing gives the same compilation, and nothing is said again', async () => {
  const root = project({ ...FILES, 'skills/a/.env': '' })
  const session = new Session({ from: 'skills/*', root })
  const before = await (await session.main())!.compile()
  expect(await session.warnings({})).toHaveLength(1)
  expect(await session.summaries()).toHaveLength(1)
  const file = path.join(root, 'skills/a/x.md')
  fs.writeFileSync(file, 'x')
  session.invalidate([file, path.join(root, 'elsewhere.md')])
  expect(await (await session.main())!.compile()).toBe(before)
  expect(await session.warnings({})).toEqual([])
  expect(await session.summaries()).toEqual([])
})

test('changes of several files while it compiles are all seen', async () => {
  const root = project(FILES)
  const session = new Session({ from: 'skills/*', root })
  const first = (await session.main())!.compile()
  for (const name of ['p', 'q', 'r']) {
    const file = path.join(root, `skills/a/${name}.md`)
    fs.writeFileSync(file, name)
    session.invalidate([file])
    void (await session.main())!.compile()
  }
  await first
  const { skills } = await (await session.main())!.compile()
  expect(skills[0]!.files.map(({ path }) => path)).toEqual(['SKILL.md', 'p.md', 'q.md', 'r.md', 'x.md'])
})

test('one summary line', async () => {
  const root = project(FILES)
  const session = new Session({ from: 'skills/*', root, id: 'virtual:admin-skills' })
  await session.load('virtual:admin-skills', { runtime: 'workerd' })
  await session.warnings({ runtime: 'workerd' })
  expect(await session.summaries()).toEqual([
    expect.stringMatching(
      /^virtual:admin-skills 2 skills · 3 files · 0\.1 kB │ gzip 0\.1 kB │ inline: Workers load every module at start$/,
    ),
  ])
})

test('a set in a browser is said to be public, once', async () => {
  const session = new Session({ from: 'skills/*', root: project(FILES) })
  await session.load('virtual:skills', { runtime: 'browser' })
  const [warning, ...others] = await session.warnings({ runtime: 'browser' })
  expect(warning?.message).toContain('bundled for browsers')
  expect(others).toEqual([])
  expect(await session.warnings({ runtime: 'browser' })).toEqual([])
})

test('a module that does not exist is answered with those that do', async () => {
  const session = new Session({ from: 'skills/*', root: project(FILES) })
  expect((await session.load('virtual:skills/c', {})).unknown?.message).toBe(
    'There is no module virtual:skills/c. There are: virtual:skills, virtual:skills/a, virtual:skills/b',
  )
})

test('a single skill is found from the importer, from the root and by its whole path', async () => {
  const root = project({ ...FILES, 'src/server.ts': '' })
  const session = new Session({ from: 'skills/*', root })
  const importer = path.join(root, 'src/server.ts')
  const id = 'virtual:skill/skills/a'
  expect(session.resolve('../skills/a/SKILL.md?skill', importer)).toBe(id)
  expect(session.resolve('/skills/a/SKILL.md?skill', importer)).toBe(id)
  expect(session.resolve(`${root}/skills/a/SKILL.md?skill`, importer)).toBe(id)
  expect(session.resolve('@alias/a/SKILL.md?skill', importer)).toBeUndefined()
  expect(session.resolve('../skills/a/SKILL.md', importer)).toBeUndefined()
  expect((await session.load(id, {})).code).toContain('skill://a/SKILL.md')
  expect(await session.load(`${root}/skills/a/SKILL.md?skill`, {})).toEqual(await session.load(id, {}))
})

test('without options a configuration file names the set, and without one there is the macro alone', async () => {
  const root = project({ ...FILES, 'embed-skills.config.json': '{ "from": "skills/*", "prefix": "acme" }' })
  const session = new Session()
  session.root = root
  expect((await (await session.main())!.compile()).skills.map(({ path }) => path)).toEqual([
    'acme/a',
    'acme/b',
  ])
  const alone = new Session()
  alone.root = project(FILES)
  expect(await alone.main()).toBeUndefined()
  await expect(alone.load('virtual:skills', {})).rejects.toThrow('say where skills are')
  expect((await alone.load('virtual:skill/skills/a', {})).error).toBeUndefined()
})

test('rules of the configuration file hold for a single skill too, and its lock does not', async () => {
  const root = project({
    'skills/a/SKILL.md': skillMd('b'),
    'embed-skills.config.json': '{ "rules": { "name-mismatch": "off" }, "lock": true }',
  })
  const session = new Session({ from: 'skills/*', root })
  expect((await session.load('virtual:skill/skills/a', {})).error).toBeUndefined()
  expect((await session.load('virtual:skills', {})).error?.message).toContain('[lock]')
})
