import type { Diagnostic } from '@embed-skills/compiler'
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { bySkill, errorLog, toLog, toText } from './messages.ts'

const root = mkdtempSync(path.join(tmpdir(), 'embed-skills-'))
mkdirSync(path.join(root, 'skills/a'), { recursive: true })
writeFileSync(path.join(root, 'skills/a/SKILL.md'), '---\nname: b\ndescription: x\n---\n')
afterAll(() => rmSync(root, { recursive: true }))

const placed: Diagnostic = {
  rule: 'name-mismatch',
  severity: 'error',
  message: '`name` is `b`',
  help: 'Write `name: a`.',
  file: 'skills/a/SKILL.md',
  line: 2,
  column: 7,
  skill: 'a',
}
const unplaced: Diagnostic = {
  rule: 'skill-md-missing',
  severity: 'error',
  message: 'There is no `SKILL.md`',
  help: 'Write one.',
  file: 'skills/c',
  skill: 'c',
}

test('one problem comes with its place, from column 0, and the lines around it', () => {
  expect(toLog([placed], root)).toEqual({
    message: 'skills/a/SKILL.md: `name` is `b` [name-mismatch]\nWrite `name: a`.',
    id: path.join(root, 'skills/a/SKILL.md'),
    loc: { file: path.join(root, 'skills/a/SKILL.md'), line: 2, column: 6 },
    frame: ['  1 | ---', '> 2 | name: b', '    |       ^', '  3 | description: x', '  4 | ---'].join('\n'),
  })
})

test('a problem without a place has none', () => {
  expect(toLog([unplaced], root)).toEqual({
    message: 'skills/c: There is no `SKILL.md` [skill-md-missing]\nWrite one.',
    id: path.join(root, 'skills/c'),
  })
})

test('all others are told in full below the first', () => {
  const { message } = toLog([unplaced, placed], root)
  expect(message).toContain('Write one.\n\nskills/a/SKILL.md:2:7 error `name` is `b` [name-mismatch]\n')
  expect(message).toContain('> 2 | name: b')
})

test('where only the message arrives, it holds the place and the lines', () => {
  const { message } = toLog([placed], root, true)
  expect(message).toMatch(/^skills\/a\/SKILL\.md:2:7 error `name` is `b` \[name-mismatch\]\n {2}1 \| ---\n/)
  expect(message).toContain('> 2 | name: b')
})

test('warnings are grouped by skill', () => {
  const warning = (skill: string, rule: string): Diagnostic => ({
    ...unplaced,
    severity: 'warning',
    skill,
    rule,
  })
  const found = [warning('a', 'x'), placed, warning('b', 'x'), warning('a', 'y')]
  expect(bySkill(found, 'warning')).toEqual([[found[0], found[3]], [found[2]]])
})

test('a text holds place, frame and help', () => {
  const log = {
    message: 'a.md: It is wrong [name]\nMend it.',
    loc: { file: '/a.md', line: 2, column: 6 },
    frame: '> 2 | x',
  }
  expect(toText(log)).toBe('a.md:2:7: It is wrong [name]\n> 2 | x\nMend it.')
  expect(toText({ message: 'No place' })).toBe('No place')
})

test('all errors are one log, with the place of the first', () => {
  const warning: Diagnostic = { ...unplaced, severity: 'warning', file: 'skills/w' }
  const log = errorLog([placed, warning, unplaced], root)
  expect(log?.message).toContain('skills/c error There is no `SKILL.md` [skill-md-missing]')
  expect(log?.message).not.toContain('skills/w')
  expect(log?.loc).toEqual({ file: path.join(root, 'skills/a/SKILL.md'), line: 2, column: 6 })
  expect(errorLog([placed], root, true)?.message).toContain('> 2 | name: b')
  expect(errorLog([warning], root)).toBeUndefined()
})
