import { sourcesOf } from '@embed-skills/compiler'
import { expect, test } from 'vitest'
import { resolveOptions } from './options.ts'

const RESOLVED = { id: 'virtual:skills', content: undefined, configFile: undefined }

test('a glob, several, or sources with options are all the same to what follows', () => {
  expect(resolveOptions('skills/*')).toEqual({ ...RESOLVED, config: { from: 'skills/*' } })
  const several = ['a/*', { from: 'b/*', prefix: 'b' }]
  expect(resolveOptions(several)).toEqual({ ...RESOLVED, config: { from: several } })
  expect(resolveOptions({ from: 'skills/*', id: 'virtual:admin', content: 'inline' })).toEqual({
    ...RESOLVED,
    id: 'virtual:admin',
    content: 'inline',
    config: { from: 'skills/*' },
  })
})

test('what stands beside `from` holds for all of its strings, `!` included', () => {
  const from = ['skills/*', { from: 'b/*' }, '!skills/a']
  expect(sourcesOf(resolveOptions({ from, prefix: 'acme' }).config)).toEqual([
    { from: 'skills/*', prefix: 'acme', ignore: ['skills/a'] },
    { from: 'b/*' },
  ])
})

test('severities are handed on', () => {
  const { config } = resolveOptions({ from: 'a/*', rules: { symlink: 'error' } })
  expect(config.rules).toEqual({ symlink: 'error' })
})

test('what is missing or unknown is said', () => {
  expect(() => resolveOptions({ configFile: false })).toThrow("say where skills are: embedSkills('skills/*')")
  expect(() => resolveOptions({ from: 'a/*', content: 'pack' as never })).toThrow(
    new TypeError('embed-skills: content is "inline" or "chunks", not "pack"'),
  )
})
