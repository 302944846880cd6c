import { expect, test } from 'vitest'
import { compile } from './compile.ts'
import { codeFrame, formatDiagnostic, summarize } from './report.ts'
import { skillMd, tree } from './testing/tree.ts'
import type { Diagnostic } from './types.ts'

test('a diagnostic reads as place, message, lines and help', async () => {
  const root = tree({ 'skills/a/SKILL.md': '---\nname: a\ndescription: Use when: x\n---\n' })
  const { diagnostics } = await compile('skills/*', { root })
  expect(formatDiagnostic(diagnostics[0]!, { root })).toBe(
    [
      'skills/a/SKILL.md:3:14 error The value of `description` holds `: `, which makes YAML read another key there [yaml-syntax]',
      '  1 | ---',
      '  2 | name: a',
      '> 3 | description: Use when: x',
      '    |              ^',
      '  4 | ---',
      '  5 |',
      'help: Quote the value: description: "Use when: x"',
    ].join('\n'),
  )
})

test('what a skill says moves no cursor, and begins no line', async () => {
  const body = '[x](a\u001b[31m.md) [y](b%0A::error::z.md) [z](c%0D%C2%85.md)\n'
  const root = tree({
    'skills/a/SKILL.md': `${skillMd('a')}${body}`,
    'skills/a\n::error::b/SKILL.md': skillMd('b'),
  })
  const { diagnostics } = await compile('skills/*', { root })
  const text = diagnostics.map((diagnostic) => formatDiagnostic(diagnostic, { root })).join('\n')
  expect(text).toContain('the skill has no `a\\u001b[31m.md`')
  expect(text).toContain('the skill has no `b\\n::error::z.md`')
  expect(text).toContain('skills/a\\n::error::b/SKILL.md')
  expect(text).not.toMatch(/^::|[^\P{Cc}\n]/mu)
})

test('a diagnostic without a line has no frame, and one of a missing file neither', async () => {
  const root = tree({ 'skills/a/SKILL.md': skillMd('a'), 'skills/a/.env': '' })
  const { diagnostics } = await compile('skills/*', { root })
  expect(formatDiagnostic(diagnostics[0]!, { root }).split('\n')).toHaveLength(2)
  const gone: Diagnostic = { ...diagnostics[0]!, file: 'gone.md', line: 3, column: 1 }
  expect(formatDiagnostic(gone, { root }).split('\n')).toHaveLength(2)
})

test('colours only where they are asked for', () => {
  const diagnostic: Diagnostic = { rule: 'name', severity: 'error', message: 'm', help: 'h', file: 'f' }
  expect(formatDiagnostic(diagnostic, { root: '/' })).toBe('f error m [name]\nhelp: h')
  expect(formatDiagnostic(diagnostic, { root: '/', colour: true })).toContain('\u001B[31merror')
})

test('a long line is cut around the place, and control characters are blanked', () => {
  const frame = codeFrame(`${'x'.repeat(500)}\u001B[31m!${'y'.repeat(500)}`, 1, 506)
  const [line = '', caret = ''] = frame.split('\n')
  expect(line.length).toBeLessThan(110)
  expect(line[caret.indexOf('^')]).toBe('!')
  expect(frame).not.toContain('\u001B')
})

test('a place past the end of the file is no crash', () => {
  expect(codeFrame('one', 9, 9)).toBe('')
})

test('a summary counts by severity', () => {
  const of = (severity: Diagnostic['severity']): Diagnostic => ({
    rule: 'x',
    severity,
    message: '',
    help: '',
    file: '',
  })
  expect(summarize([of('error'), of('error'), of('warning')])).toBe('2 errors, 1 warning')
  expect(summarize([])).toBe('')
})
