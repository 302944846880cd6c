import { expect, test } from 'vitest'
import { compileOne } from '../testing/tree.ts'
import { goYaml, pyYaml } from './lexical.ts'

const rules = { 'unknown-field': 'off' } as const

/** What is said of a field, below frontmatter that all readers see alike. */
async function said(field: string): Promise<string[]> {
  const { diagnostics } = await compileOne(`---\nname: a\ndescription: d\n${field}\n---\n`, { rules })
  return diagnostics.map(
    ({ line, column, rule, message, help }) => `${line}:${column} ${rule}: ${message} | ${help}`,
  )
}

test.each([
  [
    'a: 2025-10-20',
    '4:4 portable-values: `a` is "2025-10-20" here, but a date to PyYAML, Go, js-yaml and YAML 1.1 | Quote it: "2025-10-20"',
  ],
  ['a: yes', '4:4 portable-values: `a` is "yes" here, but true to PyYAML and YAML 1.1 | Quote it: "yes"'],
  ['a: y', '4:4 portable-values: `a` is "y" here, but true to YAML 1.1 | Quote it: "y"'],
  ['y: a', '4:1 portable-values: The key `y` is "y" here, but the key "true" to YAML 1.1 | Quote it: "y":'],
  [
    'a: 0755',
    '4:4 portable-values: `a` is 755 here, but 493 to PyYAML, Go and YAML 1.1 | Write 755 if it is a number, or "0755" if it is a text.',
  ],
  [
    'a: 12:30:45',
    '4:4 portable-values: `a` is "12:30:45" here, but 45045 to PyYAML and YAML 1.1 | Quote it: "12:30:45"',
  ],
  [
    'a: 1_000',
    '4:4 portable-values: `a` is "1_000" here, but 1000 to PyYAML, Go and YAML 1.1 | Quote it: "1_000"',
  ],
  [
    'a: 0b11',
    '4:4 portable-values: `a` is "0b11" here, but 3 to PyYAML, Go, js-yaml and YAML 1.1 | Quote it: "0b11"',
  ],
  [
    'a: 1e3',
    '4:4 portable-values: `a` is 1000 here, but "1e3" to PyYAML | Write 1000 if it is a number, or "1e3" if it is a text.',
  ],
  [
    'a: b\u2028c',
    '4:4 portable-values: `a` is "b\\u2028c" here, but a line break in it to PyYAML and Go | Quote it: "b\\u2028c"',
  ],
  [
    'a: "\\ud83d\\udcb0"',
    '4:4 portable-values: `a` is "💰" here, but two characters that are none to PyYAML, and an error to Go | Write the characters themselves instead of escapes, and no line separators of Unicode.',
  ],
  [
    'a: [x, {b: 2025-10-20}]',
    '4:12 portable-values: `a.1.b` is "2025-10-20" here, but a date to PyYAML, Go, js-yaml and YAML 1.1 | Quote it: "2025-10-20"',
  ],
  [
    'a:\tb',
    '4:3 portable-yaml: PyYAML and Go cannot read the frontmatter: a tab cannot stand there | Write blanks instead of tabs.',
  ],
  [
    'a: b\tc',
    '4:5 portable-yaml: PyYAML cannot read the frontmatter: a tab cannot stand there | Write blanks instead of tabs.',
  ],
])('%j', async (field, line) => {
  expect(await said(field)).toEqual([line])
})

test.each([
  'a: "2025-10-20"',
  "a: 'yes'",
  'a: "0755"',
  'a: 1.2.3',
  'a: b # c',
  'a: |\n  b\tc',
  'a: "b\tc"',
  '# \t\na: b',
  'a: - \n',
])('%j is the same to all', async (field) => {
  const lines = await said(field)
  expect(lines.filter((line) => line.includes('portable'))).toEqual([])
})

test('numbers and words as PyYAML and Go see them', () => {
  const row = (source: string): unknown[] => [source, pyYaml(source), goYaml(source)]
  const date = { as: 'a date' }
  const infinite = { as: 'a number that is not finite' }
  expect(
    ['0o17', '0x1F', '-0755', '08', '.5', '1.', '1.5e+3', '1:30', 'on', 'True', '~', '.inf', '2001-1-1'].map(
      row,
    ),
  ).toEqual([
    ['0o17', { value: '0o17' }, { value: 15 }],
    ['0x1F', { value: 31 }, { value: 31 }],
    ['-0755', { value: -493 }, { value: -493 }],
    ['08', { value: '08' }, { value: 8 }],
    ['.5', { value: 0.5 }, { value: 0.5 }],
    ['1.', { value: 1 }, { value: 1 }],
    ['1.5e+3', { value: 1500 }, { value: 1500 }],
    ['1:30', { value: 90 }, { value: '1:30' }],
    ['on', { value: true }, { value: 'on' }],
    ['True', { value: true }, { value: true }],
    ['~', { value: null }, { value: null }],
    ['.inf', infinite, infinite],
    ['2001-1-1', { value: '2001-1-1' }, date],
  ])
})
