import { expect, test } from 'vitest'
import type { EmbedSkillsOptions } from './options.ts'
import { resolveOptions } from './options.ts'

test('a source, several, or options', () => {
  expect(resolveOptions('skills/*')).toMatchObject({
    id: 'virtual:skills',
    sources: ['skills/*'],
    content: 'auto',
  })
  expect(resolveOptions(['a/*', '!a/x']).sources).toEqual(['a/*', '!a/x'])
  expect(resolveOptions({ package: '@acme/sdk' }).sources).toEqual([{ package: '@acme/sdk' }])
  expect(resolveOptions({ vendor: 'claude' }).sources).toEqual([{ vendor: 'claude' }])
  expect(
    resolveOptions({ from: [{ package: 'x' }], id: 'virtual:admin-skills', content: 'inline' }),
  ).toMatchObject({ id: 'virtual:admin-skills', sources: [{ package: 'x' }], content: 'inline' })
})

test('options beside `from` are those of its strings', () => {
  const { sources } = resolveOptions({
    from: ['*', '!drafts', { from: 'b/*' }],
    base: 'skills',
    prefix: 'acme',
  })
  expect(sources).toEqual([{ from: ['*', '!drafts'], base: 'skills', prefix: 'acme' }, { from: 'b/*' }])
})

test.each<[unknown, string]>([
  [undefined, 'say where skills are'],
  [{}, 'say where skills are'],
  [{ from: 'a', content: 'zip' }, 'content is one of'],
  [{ from: 'a', id: './skills.js' }, 'cannot be an id'],
  [{ from: 'a', id: 'virtual:skills?x' }, 'cannot be an id'],
  [{ from: 'a', id: 'virtual:skill' }, 'cannot be an id'],
  [{ from: 'a', id: 'virtual:x.json' }, 'cannot be an id'],
])('%j is a TypeError', (options, message) => {
  expect(() => resolveOptions(options as EmbedSkillsOptions)).toThrow(message)
})

test('severities are handed on', () => {
  expect(resolveOptions({ from: 'a/*', rules: { symlink: 'error' } }).rules).toEqual({ symlink: 'error' })
  expect(resolveOptions('a/*')).not.toHaveProperty('rules')
})
