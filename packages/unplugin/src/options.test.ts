import { expect, test } from 'vitest'
import { resolveOptions } from './options.ts'

const RESOLVED = { id: 'virtual:skills', content: undefined }

test('a glob, several, or sources with options are all the same to what follows', () => {
  expect(resolveOptions('skills/*')).toEqual({ ...RESOLVED, sources: ['skills/*'] })
  expect(resolveOptions(['a/*', { from: 'b/*', prefix: 'b' }])).toEqual({
    ...RESOLVED,
    sources: ['a/*', { from: 'b/*', prefix: 'b' }],
  })
  expect(resolveOptions({ from: 'skills/*', id: 'virtual:admin', content: 'inline' })).toEqual({
    id: 'virtual:admin',
    content: 'inline',
    sources: ['skills/*'],
  })
})

test('what stands beside `from` holds for all of its strings together, `!` included', () => {
  const from = ['skills/*', { from: 'b/*' }, '!skills/a']
  expect(resolveOptions({ from, prefix: 'acme' }).sources).toEqual([
    { from: ['skills/*', '!skills/a'], prefix: 'acme' },
    { from: 'b/*' },
  ])
})

test('severities are handed on', () => {
  expect(resolveOptions({ from: 'a/*', rules: { symlink: 'error' } }).rules).toEqual({ symlink: 'error' })
  expect(resolveOptions('a/*')).not.toHaveProperty('rules')
})

test('what is missing or unknown is said', () => {
  expect(() => resolveOptions({} as never)).toThrow("say where skills are: embedSkills('skills/*')")
  expect(() => resolveOptions({ from: 'a/*', content: 'pack' as never })).toThrow(
    new TypeError('embed-skills: content is "inline" or "chunks", not "pack"'),
  )
})
