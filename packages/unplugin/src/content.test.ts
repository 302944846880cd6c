import { expect, test } from 'vitest'
import type { Target } from './content.ts'
import { chooseContent } from './content.ts'

test.each<[string, Target, string]>([
  ['a dev server, even of a Worker', { dev: true, runtime: 'workerd' }, 'chunks'],
  ['a Worker', { runtime: 'workerd' }, 'inline'],
  ['a server', { runtime: 'server' }, 'chunks'],
  ['one file', { runtime: 'server', splits: false }, 'inline'],
  ['nobody knows what', {}, 'chunks'],
])('%s', (_, target, content) => {
  expect(chooseContent({ target, bytes: 1000 }).content).toBe(content)
  expect(chooseContent({ target, bytes: 1000 }).reason).toMatch(/^[a-zA-Z]/)
})

test('a Worker that can import bytes gets a pack from 1 MiB on', () => {
  const target: Target = { runtime: 'workerd', binary: true }
  expect(chooseContent({ target, bytes: 2 ** 20 }).content).toBe('pack')
  expect(chooseContent({ target, bytes: 2 ** 20 - 1 }).content).toBe('inline')
  expect(chooseContent({ target: { ...target, binary: false }, bytes: 2 ** 20 }).content).toBe('inline')
  expect(chooseContent({ target: { ...target, dev: true }, bytes: 2 ** 20 }).content).toBe('chunks')
})
