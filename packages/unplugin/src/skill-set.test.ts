import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SkillSet } from './skill-set.ts'

function skillSet(): { set: SkillSet; root: string; write: (file: string, text: string) => void } {
  const root = mkdtempSync(path.join(tmpdir(), 'embed-skills-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const options = { id: 'virtual:skills', sources: ['skills/*'], content: 'auto', quiet: true } as const
  const set = new SkillSet({ ...options, root })
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  write('skills/a/SKILL.md', '---\nname: a\ndescription: A\n---\n')
  return { set, root, write }
}

test('a set is compiled once, until something changes', async () => {
  const { set, write } = skillSet()
  const first = await set.compile()
  expect(await set.compile()).toBe(first)
  set.invalidate()
  expect(await set.compile()).toBe(first)
  write('skills/a/more.md', 'more')
  set.invalidate()
  expect(await set.compile()).not.toBe(first)
})

test('a thousand changes at once lead to one compilation, which sees the last of them', async () => {
  const { set, write } = skillSet()
  const running = set.compile()
  const changes = Array.from({ length: 1000 }, (_, index) => {
    write('skills/a/count.md', `${index}`)
    set.invalidate()
    return set.compile()
  })
  const compilations = new Set(await Promise.all(changes))
  expect(compilations.size).toBe(1)
  const [latest] = compilations
  expect(latest).toBe(await running)
  const count = latest!.skills[0]!.files.find((file) => file.path === 'count.md')!
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
