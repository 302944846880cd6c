import { expect, test } from 'vitest'
import { resolveOptions } from './options.ts'

test('sources alone are taken as they are', () => {
  expect(resolveOptions('skills/*').sources).toEqual(['skills/*'])
  expect(resolveOptions(['skills/*', '!skills/a', { from: 'b/*' }]).sources).toEqual([
    'skills/*',
    '!skills/a',
    { from: 'b/*' },
  ])
})

test('what stands beside `from` holds for all of its strings together, `!` included', () => {
  const from = ['skills/*', { from: 'b/*' }, '!skills/a']
  expect(resolveOptions({ from, prefix: 'acme' }).sources).toEqual([
    { from: ['skills/*', '!skills/a'], prefix: 'acme' },
    { from: 'b/*' },
  ])
})

test('options of another shape are refused with what to write', () => {
  expect(() => resolveOptions({} as never)).toThrow("embedSkills('skills/*')")
  expect(() => resolveOptions({ from: 'a', content: 'pack' as never })).toThrow(
    'content is "inline" or "chunks", not "pack"',
  )
})
