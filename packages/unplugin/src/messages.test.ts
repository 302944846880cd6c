import type { Diagnostic } from '@embed-skills/compiler'
import { expect, test } from 'vitest'
import { bySkill, errorLog, toText } from './messages.ts'

const at = (file: string, more: Partial<Diagnostic> = {}): Diagnostic => ({
  rule: 'name',
  severity: 'error',
  message: 'It is wrong',
  help: 'Mend it.',
  file,
  ...more,
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

test('diagnostics of a skill stand together', () => {
  const warnings = [at('a', { skill: 'x' }), at('b', { skill: 'y' }), at('c', { skill: 'x' })]
  const groups = bySkill(
    warnings.map((warning) => ({ ...warning, severity: 'warning' as const })),
    'warning',
  )
  expect(groups.map((group) => group.map(({ file }) => file))).toEqual([['a', 'c'], ['b']])
})

test('all errors are one log, with the place of the first', () => {
  const log = errorLog([at('a', { line: 1, column: 2 }), at('w', { severity: 'warning' }), at('b')], '/root')
  expect(log?.message).toContain('b error It is wrong [name]')
  expect(log?.message).not.toContain('w ')
  expect(log?.loc).toEqual({ file: '/root/a', line: 1, column: 1 })
  expect(errorLog([], '/root')).toBeUndefined()
})
