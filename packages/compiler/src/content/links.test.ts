import { expect, test } from 'vitest'
import { codeIn, linksIn, resolveLink } from './links.ts'

/** The targets of the links that are meant to be followed. */
function targets(text: string): string[] {
  const isInCode = codeIn(text)
  return linksIn(text)
    .filter(({ offset }) => !isInCode(offset))
    .map(({ target }) => target)
}

test('links, images and definitions', () => {
  expect(
    targets('[a](b.md) ![c](d/e.png "title") [f]( <g h.md> ) [i][j]\n\n[j]: k.md\n [l]: <m n.md>'),
  ).toEqual(['b.md', 'd/e.png', 'g h.md', 'k.md', 'm n.md'])
  expect(targets('[a](b(c).md) [d](e.md#f) [g](h.md?i)')).toEqual(['b(c).md', 'e.md#f', 'h.md?i'])
})

test.each([
  'https://x.y/z.md',
  'mailto:a@b.c',
  '#heading',
  '//x.y/z.md',
  'skill://a/SKILL.md',
  'data:text/plain,x.y',
  '{name}.md',
  '$FILE.md',
  'url',
  'path/to/...',
])('%s is no file', (target) => {
  expect(targets(`[x](${target})`)).toEqual([])
})

test('what is code or commented out is no link', () => {
  expect(targets('`[a](b.md)` ``[c](`d.md)`` [e](f.md)')).toEqual(['f.md'])
  expect(targets('```md\n[a](b.md)\n```\n[c](d.md)\n~~~\n[e](f.md)\n~~~\n')).toEqual(['d.md'])
  expect(targets('````\n```\n[a](b.md)\n```\n````\n[c](d.md)')).toEqual(['d.md'])
  expect(targets('- x\n\n  ```\n  [a](b.md)\n  ```\n[c](d.md)')).toEqual(['d.md'])
  expect(targets('<!-- [a](b.md)\n[c](d.md) -->[e](f.md)')).toEqual(['f.md'])
})

test('a path is decoded, without what follows it', () => {
  expect(linksIn('[a](b%20c/%E6%97%A5.md#d)').map(({ path }) => path)).toEqual(['b c/日.md'])
  expect(linksIn('[a](50%.md)').map(({ path }) => path)).toEqual(['50%.md'])
})

test('a link starts from the folder of its file', () => {
  expect(resolveLink('SKILL.md', 'a/b.md')).toBe('a/b.md')
  expect(resolveLink('a/b.md', './c/')).toBe('a/c')
  expect(resolveLink('a/b.md', '../c.md')).toBe('c.md')
  expect(resolveLink('a/b.md', '../../c.md')).toBe('../c.md')
  expect(resolveLink('a/b.md', '..')).toBe('.')
})

// With a pattern that goes back for each start, this would not end.
test('a long text without an end to its code is read to its end', () => {
  const text = `${'`'.repeat(3)}\n${'[a](b.md) ` '.repeat(5000)}`
  expect(targets(text.slice(0, 20_000)).length).toBeGreaterThan(0)
})
