import { expect, test } from 'vitest'
import { isOutput, snippetsOf, stepsOf } from './snippets.ts'

const steps = (markdown: string): unknown[] =>
  stepsOf(snippetsOf(markdown, 'a.md')).map(({ snippet, ...step }) => ({ ...step, text: snippet.text }))

test('a snippet is a file, a command, a server or an output', () => {
  const markdown = `Text
\`\`\`ts src/a.ts
a

b
\`\`\`
\`\`\`ts src/b.ts run
b
\`\`\`
\`\`\`sh
ls
\`\`\`
\`\`\`text output
x
\`\`\`
\`\`\`sh fails
ls y
\`\`\`
\`\`\`sh serve
npx vite
\`\`\`
\`\`\`\`md SKILL.md
\`\`\`
\`\`\`\`
\`\`\`sh not-run: needs an account
deploy
\`\`\`
`
  expect(steps(markdown)).toEqual([
    { kind: 'file', path: 'src/a.ts', runs: false, text: 'a\n\nb\n' },
    { kind: 'file', path: 'src/b.ts', runs: true, text: 'b\n' },
    { kind: 'run', fails: false, text: 'ls\n' },
    { kind: 'output', text: 'x\n' },
    { kind: 'run', fails: true, text: 'ls y\n' },
    { kind: 'serve', text: 'npx vite\n' },
    { kind: 'file', path: 'SKILL.md', runs: false, text: '```\n' },
  ])
})

test.each([
  ['```ts\na\n```', 'a.md:1: say in the info string'],
  ['\n```ts not-run:\na\n```', 'a.md:2: say in the info string'],
  ['```\na\n```', 'a.md:1: say in the info string'],
  ['```sh\na', 'a.md:1: the snippet is not closed'],
  ['- x\n\n  ```sh\n  a\n  ```', 'a.md:3: a snippet begins at the start of its line'],
])('%j is refused', (markdown, message) => {
  expect(() => steps(markdown)).toThrow(message)
})

test('an output is compared line by line, but for what `…` stands for', () => {
  expect(isOutput('a\nb\n', '\na\nb\n\n')).toBe(true)
  expect(isOutput('a\n…\nd\n', 'a\nb\nc\nd')).toBe(true)
  expect(isOutput('at … ms\n', 'at 12 ms')).toBe(true)
  expect(isOutput('a\n', 'a\nb')).toBe(false)
  expect(isOutput('a.c\n', 'abc')).toBe(false)
  expect(isOutput('a …\n', 'a\nb')).toBe(false)
})
