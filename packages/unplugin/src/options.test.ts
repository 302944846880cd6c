import { sourcesOf } from '@embed-skills/compiler'
import type { SourceInput } from '@embed-skills/compiler'
import { expect, test } from 'vitest'
import type { EmbedSkillsOptions } from './options.ts'
import { resolveOptions } from './options.ts'

const RESOLVED = {
  id: 'virtual:skills',
  root: undefined,
  content: 'auto',
  encoding: 'utf8',
  types: true,
  verify: true,
  macro: false,
  configFile: undefined,
}

test('a source, several, or sources with options are all the same to what follows', () => {
  const sources: (SourceInput | readonly SourceInput[])[] = [
    'skills/*',
    ['a/*', { from: 'b/*', prefix: 'b' }, '!a/x'],
    { package: '@acme/sdk' },
    { vendor: 'claude' },
  ]
  for (const from of sources) expect(resolveOptions(from)).toEqual({ ...RESOLVED, config: { from } })
  expect(resolveOptions({ from: 'skills/*', id: 'virtual:admin', content: 'inline' })).toEqual({
    ...RESOLVED,
    id: 'virtual:admin',
    content: 'inline',
    config: { from: 'skills/*' },
  })
})

test('what stands beside `from` holds for all of its strings, `!` included', () => {
  const from = ['*', { from: 'b/*' }, '!drafts']
  expect(sourcesOf(resolveOptions({ from, base: 'skills', prefix: 'acme' }).config)).toEqual([
    { from: '*', base: 'skills', prefix: 'acme', ignore: ['drafts'] },
    { from: 'b/*' },
  ])
})

test('severities are handed on', () => {
  const { config } = resolveOptions({ from: 'a/*', rules: { symlink: 'error' } })
  expect(config.rules).toEqual({ symlink: 'error' })
})

test('without a word the configuration file has it, and esbuild reads sources for the macro', () => {
  expect(resolveOptions()).toEqual({ ...RESOLVED, macro: true, config: {} })
  expect(resolveOptions({})).toEqual({ ...RESOLVED, config: {} })
  expect(resolveOptions({ configFile: 'x.json' })).toEqual({ ...RESOLVED, configFile: 'x.json', config: {} })
})

test.each<[unknown, string]>([
  [{ configFile: false }, "say where skills are: embedSkills('skills/*')"],
  [1, 'say where skills are'],
  [null, 'say where skills are'],
  [{ from: 'a', content: 'zip' }, 'content is one of'],
  [{ from: 'a', id: './skills.js' }, 'cannot be an id'],
  [{ from: 'a', id: 'virtual:skills?x' }, 'cannot be an id'],
  [{ from: 'a', id: 'virtual:skill' }, 'cannot be an id'],
  [{ from: 'a', id: 'virtual:x.json' }, 'cannot be an id'],
  [{ from: 'a', id: 'virtual:embed-skills' }, 'cannot be an id'],
  [{ from: 'a', contents: 'inline' }, 'embed-skills: there is no option `contents`. Is `content` meant?'],
  [{ form: 'a/*' }, 'there is no option `form`. Is `from` meant?'],
  [{ from: 'a', encoding: 'hex' }, 'encoding is utf8 or base64'],
])('%j is a TypeError', (options, message) => {
  const resolve = (): unknown => resolveOptions(options as EmbedSkillsOptions)
  expect(resolve).toThrow(TypeError)
  expect(resolve).toThrow(message)
})
