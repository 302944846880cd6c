import { describe, expect, test } from 'vitest'
import { tree } from '../testing/tree.ts'
import { createLineEndings } from './git.ts'

/** Whether git may change `skills/a/x.md` in a repository with these `.gitattributes`. */
function drifts(attributes: Readonly<Record<string, string>>, file = 'x.md'): boolean {
  const root = tree({ '.git/HEAD': '', 'skills/a/SKILL.md': '', ...attributes })
  return createLineEndings()(`${root}/skills/a`).drifts(`${root}/skills/a/${file}`)
}

describe('a file drifts unless a line settles its endings', () => {
  test.each([
    ['* text=auto eol=lf', false],
    ['* -text', false],
    ['*.md eol=crlf', false],
    ['*.md binary', false],
    ['/skills/** eol=lf', false],
    ['skills/*/x.md -text', false],
    ['* text=auto', true],
    ['*.png binary', true],
    ['# * eol=lf', true],
    ['skills/*.md eol=lf', true],
    ['', true],
  ])('%s', (line, expected) => {
    expect(drifts({ '.gitattributes': `${line}\n` })).toBe(expected)
  })

  test('a file nearer to it counts too', () => {
    expect(drifts({ 'skills/.gitattributes': '*.md eol=lf\n' })).toBe(false)
    expect(drifts({ 'skills/.gitattributes': '/a/x.md eol=lf\n' })).toBe(false)
    expect(drifts({ 'other/.gitattributes': '* eol=lf\n' })).toBe(true)
  })
})

test('outside of any repository nothing drifts', () => {
  const root = tree({ 'skills/a/SKILL.md': '', '.gitattributes': '' })
  expect(createLineEndings()(`${root}/skills/a`).drifts(`${root}/skills/a/x.md`)).toBe(false)
})
