import { expect, test } from 'vitest'
import { createProgress } from './progress.ts'

function terminal(isTTY: boolean): {
  stream: { isTTY: boolean; write: (text: string) => boolean }
  lines: string[]
} {
  const lines: string[] = []
  return { stream: { isTTY, write: (text) => lines.push(text) > 0 }, lines }
}

test('a line on a terminal once a second has passed, ten a second at most, and gone at the end', () => {
  const { stream, lines } = terminal(true)
  let now = 0
  const progress = createProgress(stream as never, () => now)
  for (now = 0; now <= 1500; now += 10) progress.update(now / 10, 200)
  progress.end()
  expect(lines[0]).toContain('100 of 200 skills read')
  expect(lines).toHaveLength(6 + 1)
  expect(lines.at(-1)).toBe('\r\u001B[2K')
})

test('nothing where it is no terminal, and nothing if it is quick', () => {
  const [pipe, quick] = [terminal(false), terminal(true)]
  let now = 0
  for (const { stream } of [pipe, quick]) {
    now = 0
    const progress = createProgress(stream as never, () => now)
    now = stream.isTTY ? 999 : 5000
    progress.update(1, 2)
    progress.end()
  }
  expect([...pipe.lines, ...quick.lines]).toEqual([])
})
