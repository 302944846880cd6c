import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { resolveProject } from './project.ts'
import { SkillSet } from './skill-set.ts'

interface Options {
  readonly from?: string
  readonly lock?: boolean
}

function skillSet(config: Options = { from: 'skills/*' }): {
  set: SkillSet
  root: string
  write: (file: string, text: string) => string
} {
  const root = mkdtempSync(path.join(tmpdir(), 'embed-skills-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const set = new SkillSet({
    id: 'virtual:skills',
    content: 'auto',
    encoding: 'utf8',
    root,
    quiet: true,
    project: () => resolveProject({ config, configFile: undefined }, root),
  })
  const write = (file: string, text: string): string => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
    return path.join(root, file)
  }
  write('skills/a/SKILL.md', '---\nname: a\ndescription: A\n---\n')
  return { set, root, write }
}

test('a set is compiled once, until something changes', async () => {
  const { set, write } = skillSet()
  const first = await set.compile()
  expect(await set.compile()).toBe(first)
  write('skills/a/new.md', 'New')
  expect(await set.compile()).toBe(first)
  set.invalidate()
  expect(await set.compile()).not.toBe(first)
})

test('a thousand changes at once lead to one compilation, which sees the last of them', async () => {
  const { set, write } = skillSet()
  const running = set.compile()
  const changes = Array.from({ length: 1000 }, (_, index) => {
    set.invalidate([write('skills/a/count.md', `${index}`)])
    return set.compile()
  })
  // The first of them may have been seen by the one that was running.
  expect(new Set(changes).size).toBeLessThanOrEqual(2)
  const latest = await changes.at(-1)!
  await running
  const count = latest.skills[0]!.files.find((file) => file.path === 'count.md')!
  expect(Buffer.from(count.bytes).toString()).toBe('999')
})

test('what can change the set is what was read, and what may come', async () => {
  const { set, root } = skillSet()
  await set.compile()
  const concerns = (file: string): boolean => set.concerns(path.join(root, file))
  expect(['skills/a/SKILL.md', 'skills/a/new.md', 'skills/b', 'skills/b/SKILL.md'].map(concerns)).toEqual(
    Array.from({ length: 4 }, () => true),
  )
  expect(['src/index.ts', 'skills.md', 'skills-more/a/SKILL.md', '../x'].map(concerns)).toEqual(
    Array.from({ length: 4 }, () => false),
  )
})

test('a configuration file that says something else makes another set', async () => {
  const { set, write } = skillSet({})
  const config = write('embed-skills.config.json', '{ "from": "skills/*" }')
  expect((await set.compile()).skills.map(({ path }) => path)).toEqual(['a'])
  expect(set.concerns(config)).toBe(true)
  write('embed-skills.config.json', '{ "from": "skills/*", "prefix": "acme" }')
  set.invalidate([config])
  expect((await set.compile()).skills.map(({ path }) => path)).toEqual(['acme/a'])
})

test('a lock that is not there yet is an error, and one that comes is seen', async () => {
  const { set, root } = skillSet({ from: 'skills/*', lock: true })
  expect((await set.compile()).diagnostics).toMatchObject([{ rule: 'lock', severity: 'error' }])
  expect(set.concerns(path.join(root, 'skills.lock.json'))).toBe(true)
})

test('what cannot be compiled is tried again after any change', async () => {
  const { set, write } = skillSet({})
  const config = write('embed-skills.config.json', '{')
  await expect(set.compile()).rejects.toThrow('is no JSON')
  expect(set.concerns(config)).toBe(true)
  write('embed-skills.config.json', '{ "from": "skills/*" }')
  set.invalidate([config])
  expect((await set.compile()).skills).toHaveLength(1)
})
