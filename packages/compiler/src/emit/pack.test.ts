import { expect, test } from 'vitest'
import { compileTree, skillMd } from '../testing/tree.ts'
import { PACK_MAGIC, packSkills } from './pack.ts'

const long = 'the same words again and again\n'.repeat(200)

test('equal contents are packed once, and long ones gzipped', async () => {
  const { skills } = await compileTree({
    'skills/a/SKILL.md': skillMd('a'),
    'skills/a/long.md': long,
    'skills/b/SKILL.md': skillMd('b'),
    'skills/b/long.md': long,
  })
  const { bytes, rows } = packSkills(skills)
  const slots = rows.map(({ json }) => (JSON.parse(json) as unknown[][]).slice(1).map((row) => row[5]))
  const start = PACK_MAGIC.length
  const size = skillMd('a').length
  expect(slots).toEqual([
    [`t${start}+${size}`, expect.stringMatching(/^t\d+\+\d+z$/)],
    [expect.stringMatching(/^t\d+\+\d+$/), slots[0]![1]],
  ])
  expect(bytes.length).toBeLessThan(start + 2 * size + 200)
})

test('the name follows from the bytes', async () => {
  const one = packSkills((await compileTree({ 'skills/a/SKILL.md': skillMd('a') })).skills)
  const same = packSkills((await compileTree({ 'skills/a/SKILL.md': skillMd('a') })).skills)
  const other = packSkills((await compileTree({ 'skills/b/SKILL.md': skillMd('b') })).skills)
  expect(same.name).toBe(one.name)
  expect(other.name).not.toBe(one.name)
})
