import { expect, test } from 'vitest'
import type { ContentChoice, Target } from './content.ts'
import { chooseContent } from './content.ts'

const choose = (target: Target, bytes: number, hasTemplates = false): ContentChoice =>
  chooseContent({ target, bytes, hasTemplates })

test.each<[string, Target, string]>([
  ['a dev server, even of a Worker', { dev: true, runtime: 'workerd' }, 'chunks'],
  ['a Worker', { runtime: 'workerd' }, 'inline'],
  ['a server', { runtime: 'server' }, 'chunks'],
  ['one file', { runtime: 'server', splits: false }, 'inline'],
  ['nobody knows what', {}, 'chunks'],
])('%s', (_, target, content) => {
  expect(choose(target, 1000).content).toBe(content)
  expect(choose(target, 1000).reason).toMatch(/^[a-zA-Z]/)
})

test('a Worker that can import bytes gets a pack from 1 MiB on', () => {
  const target: Target = { runtime: 'workerd', binary: true }
  expect(choose(target, 2 ** 20).content).toBe('pack')
  expect(choose(target, 2 ** 20 - 1).content).toBe('inline')
  expect(choose({ ...target, binary: false }, 2 ** 20).content).toBe('inline')
  expect(choose({ ...target, dev: true }, 2 ** 20).content).toBe('chunks')
})

test('templates are code, so that they get no pack however much there is', () => {
  const target: Target = { runtime: 'workerd', binary: true }
  expect(choose(target, 2 ** 24, true).content).toBe('inline')
  expect(choose(target, 2 ** 24, true).reason).toContain('holds no templates')
  expect(choose({ dev: true }, 2 ** 24, true).content).toBe('chunks')
  expect(choose({ runtime: 'server' }, 2 ** 24, true).content).toBe('chunks')
})
