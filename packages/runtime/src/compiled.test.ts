import { expect, test } from 'vitest'
import { compiledSource } from './compiled.ts'
import { compiledSet } from './testing/set.ts'

const SKILLS = {
  a: { 'SKILL.md': 'A', 'x/y.md': 'Y', 'empty/': '' },
  'a/b': { 'SKILL.md': 'B' },
  constructor: { 'SKILL.md': 'C', ['__proto__']: 'P', toString: 'T' },
}

test('a format that is not known names the package to update', () => {
  const newer = { ...compiledSet(SKILLS), format: 2 }
  expect(() => compiledSource(newer)).toThrow(
    new TypeError('Skills of format 2 need a newer @embed-skills/runtime'),
  )
})

test('X3: nothing is parsed or loaded until somebody asks', async () => {
  const set = { ...compiledSet(SKILLS), skills: { 'skill://a/SKILL.md': 'no JSON' } }
  const source = compiledSource(set)
  expect(set.loads).toEqual([])
  expect(() => source.get('skill://a/SKILL.md')).toThrow(SyntaxError)
})

test('contents are loaded once a group, when a file of it is first read', async () => {
  const set = compiledSet(SKILLS)
  const source = compiledSource(set)
  source.list('', 10)
  source.get('skill://a/SKILL.md')
  await source.readDirectory('skill://a', {})
  expect(set.loads).toEqual([])
  await source.read('skill://a/SKILL.md', {})
  await source.read('skill://a/x/y.md', {})
  expect(set.loads).toEqual([0])
})

test('a load that fails is tried again', async () => {
  const set = compiledSet(SKILLS)
  let fails = true
  const source = compiledSource({
    ...set,
    load: async (group) => {
      if (fails) throw new Error('offline')
      return set.load(group)
    },
  })
  await expect(source.read('skill://a/SKILL.md', {})).rejects.toThrow('offline')
  fails = false
  expect(await source.read('skill://a/SKILL.md', {})).toMatchObject({ text: 'A' })
})

test('an answer is the same object as before, and nobody can change it', async () => {
  const source = compiledSource(compiledSet(SKILLS))
  const answer = await source.read('skill://a/SKILL.md', {})
  expect(await source.read('skill://a/SKILL.md', {})).toBe(answer)
  expect(Object.isFrozen(answer)).toBe(true)
  expect(Object.isFrozen(source.get('skill://a/SKILL.md'))).toBe(true)
})

test('names that every object has are names like others', async () => {
  const source = compiledSource(compiledSet(SKILLS))
  expect(await source.read('skill://constructor/__proto__', {})).toMatchObject({ text: 'P' })
  expect(await source.read('skill://constructor/toString', {})).toMatchObject({ text: 'T' })
  expect(await source.read('skill://a/constructor', {})).toBeUndefined()
  expect(source.get('constructor')).toBeUndefined()
  expect(source.get('__proto__')).toBeUndefined()
})

test('N8: a nested skill that the set around it does not hold is served on its own', async () => {
  const source = compiledSource(compiledSet({ 'a/b': { 'SKILL.md': 'B' } }))
  expect(await source.read('skill://a/b/SKILL.md', {})).toMatchObject({ text: 'B' })
  expect(await source.readDirectory('skill://a', {})).toBeUndefined()
})

test('a folder is no file, and an empty one neither', async () => {
  const source = compiledSource(compiledSet(SKILLS))
  expect(await source.read('skill://a/x', {})).toBeUndefined()
  expect(await source.read('skill://a/empty', {})).toBeUndefined()
  expect(await source.readDirectory('skill://a/empty', {})).toEqual([])
  expect(await source.readDirectory('skill://a/x/y.md', {})).toBeUndefined()
})
