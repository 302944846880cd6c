import { expect, test } from 'vitest'
import { getSkill, readFile } from './lookup.ts'
import { compiledSet } from './testing/set.ts'

const set = compiledSet({ 'acme/refunds': { 'SKILL.md': 'S', 'a%20b/100%25.md': 'F' } })

test('a skill is found by its path', () => {
  expect(getSkill(set, 'acme/refunds').uri).toBe('skill://acme/refunds/SKILL.md')
  expect(() => getSkill(set, 'refunds')).toThrow(new RangeError('There is no skill "refunds" in this set'))
})

test('a file is found by its path on disk', async () => {
  expect(await readFile(set, 'acme/refunds', 'a b/100%.md')).toEqual({ mimeType: 'text/markdown', text: 'F' })
})

test.each(['nothing.md', '../refunds/SKILL.md', '', 'a b', 'a%20b/100%25.md'])(
  '%j is no file',
  async (file) => {
    await expect(readFile(set, 'acme/refunds', file)).rejects.toThrow(
      new RangeError(`There is no file "${file}" in a skill "acme/refunds" of this set`),
    )
  },
)

test('bytes come back as bytes', async () => {
  const bytes = {
    ...set,
    skills: {
      'skill://a/SKILL.md':
        '[{"name":"a","description":"A"},["SKILL.md","text/markdown",1,"00",0,"t0"],["x","image/png",3,"00",0,"b1"]]',
    },
    load: () => ({ t0: 'S', b1: 'AP+A' }),
  }
  expect(await readFile(bytes, 'a', 'x')).toEqual({
    mimeType: 'image/png',
    bytes: Uint8Array.of(0, 255, 128),
  })
})
