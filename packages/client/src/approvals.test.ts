import { expect, test } from 'vitest'
import { allowedToolsOf, dependenciesOf } from './approvals.ts'

const frontmatter = (fields: object): { name: string; description: string } => ({
  name: 'a',
  description: 'b',
  ...fields,
})

test.each([
  ['Read', ['Read']],
  ['Bash(git diff:*) Read', ['Bash(git diff:*)', 'Read']],
  ['Bash(a, b), Read,Write', ['Bash(a, b)', 'Read', 'Write']],
  ['Bash(echo (a b)) Read', ['Bash(echo (a b))', 'Read']],
  // Not `Bash`, which would be all of it.
  ['Read Bash(git diff:* Write', ['Read', 'Bash(git diff:* Write']],
  [') Read', [')', 'Read']],
  [
    ['Read', 1, 'Write'],
    ['Read', 'Write'],
  ],
  [undefined, []],
  [{ Read: true }, []],
])('N18: allowed-tools %j are %j', (field, tools) => {
  expect(allowedToolsOf(frontmatter({ 'allowed-tools': field }))).toEqual(tools)
})

test.each([
  [
    ['db', 'mail', 'db'],
    ['db', 'mail'],
  ],
  ['db', []],
  [[1, 'db', null], ['db']],
])('S6: dependencies %j are %j', (field, labels) => {
  expect(dependenciesOf(frontmatter({ dependencies: field }))).toEqual(labels)
})
