import path from 'node:path'
import { expect, test } from 'vitest'
import { idFilter, moduleId, resolvedId, singleId, singleSkill } from './ids.ts'

test('ids of a set, resolved or not, and of no other', () => {
  const filter = idFilter('virtual:skills')
  for (const id of ['virtual:skills', 'virtual:skills/a/b', '\0virtual:skills', '\0virtual:skills?lazy=1'])
    expect(filter.test(id)).toBe(true)
  for (const id of ['virtual:skills-x', 'x/virtual:skills', 'virtualXskills', './virtual:skills'])
    expect(filter.test(id)).toBe(false)
  expect(resolvedId(resolvedId('virtual:skills'))).toBe('\0virtual:skills')
  expect(moduleId('\0virtual:skills/a?rolldown-lazy=1')).toBe('virtual:skills/a')
})

test.each([
  ['skills/refunds', 'SKILL.md', 'virtual:skill/skills/refunds'],
  ['../shared/a.b', 'SKILL.md', 'virtual:skill/$002e$002e/shared/a$002eb'],
  [
    'skills/é (x) ?#%~$',
    'SKILL.md',
    'virtual:skill/skills/$00e9$0020$0028x$0029$0020$003f$0023$0025$007e$0024',
  ],
  ['skills/x', 'README.md', 'virtual:skill/~README$002emd/skills/x'],
  ['.', 'SKILL.md', 'virtual:skill/'],
])('the id of a single skill in %s says where it is and nothing of the machine', (folder, mainFile, id) => {
  const root = path.resolve('/work/project')
  const skill = { folder: path.resolve(root, folder), mainFile }
  expect(singleId(skill, root)).toBe(id)
  expect(singleSkill(id, root)).toEqual({ id, ...skill })
  expect(singleSkill(`${id}/~/x`, root)).toEqual({ id, ...skill })
})
