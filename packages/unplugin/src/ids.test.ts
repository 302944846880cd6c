import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fileOf, idFilter, moduleId, resolvedId, SINGLE_ID, singleId, singleSkill } from './ids.ts'

test.each(['virtual:skills', 'virtual:skills/acme/refunds', 'virtual:skills/~/refunds', 'virtual:skills?x'])(
  '%s is ours, resolved or not',
  (id) => {
    const filter = idFilter('virtual:skills')
    expect(filter.test(id)).toBe(true)
    expect(filter.test(resolvedId(id))).toBe(true)
  },
)

test.each([
  'virtual:skills-admin',
  'virtual:skillset',
  'x/virtual:skills',
  'virtual-skills',
  './virtual:skills',
])('%s is not ours', (id) => {
  expect(idFilter('virtual:skills').test(id)).toBe(false)
})

test('an id of one’s own is taken by the letter', () => {
  const filter = idFilter('virtual:skills.admin+(x)')
  expect(filter.test('virtual:skills.admin+(x)/a')).toBe(true)
  expect(filter.test('virtual:skillsXadmin+(x)')).toBe(false)
})

test('what is resolved stays as it is, for bundlers that ask again', () => {
  expect(resolvedId(resolvedId('virtual:skills'))).toBe('\0virtual:skills')
})

test('a query of the bundler’s own is no part of the module', () => {
  expect(moduleId('\0virtual:skills/a?rolldown-lazy=1')).toBe('virtual:skills/a')
  expect(moduleId('virtual:skills')).toBe('virtual:skills')
})

test('the query of a file goes, and what a folder is called stays', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'what?-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  expect(fileOf('/src/App.vue?vue&type=script')).toBe('/src/App.vue')
  expect(fileOf('/src/App.vue?from=/elsewhere/x.js')).toBe('/src/App.vue')
  expect(fileOf(`${folder}/SKILL.md?skill`)).toBe(`${folder}/SKILL.md`)
  expect(fileOf(`${folder}/SKILL.md`)).toBe(`${folder}/SKILL.md`)
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
  const root = path.resolve('/somewhere/project')
  const skill = { folder: path.resolve(root, folder), mainFile }
  expect(singleId(skill, root)).toBe(id)
  expect(SINGLE_ID.test(resolvedId(id))).toBe(true)
  expect(singleSkill(id, root)).toEqual({ id, ...skill })
  expect(singleSkill(`${id}/~/x`, root)).toEqual({ id, ...skill })
})

test('what is a letter short of virtual:skills is no single skill', () => {
  expect(SINGLE_ID.test('virtual:skill')).toBe(false)
})
