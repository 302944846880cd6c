import { expect, test } from 'vitest'
import { stringsOf } from './strings.ts'

function values(code: string): string[] {
  return stringsOf(code, 'a.js')
    .map(({ value }) => value)
    .sort()
}

test.each([
  ['const a = "a\\u2028\\n", b = \'\\x41\'', ['A', 'a\u2028\n']],
  ['const a = `x\r\n\\r${"y"}z`', ['x\n\r', 'y', 'z']],
  ['f`a\\u`', []],
  ['"use strict"; module.exports = { "k": "v", a: "b" }', ['b', 'k', 'use strict', 'v']],
  ['with (x) { y = "sloppy" }', ['sloppy']],
  ['import a from "b"; const c = <d e="f">{"g"}</d>', ['b', 'f', 'g']],
  ['const n = 1, r = /x/, t = true, u = null', []],
])('%s', (code, expected) => {
  expect(values(code)).toEqual(expected)
})

test('the value of a property knows its name, when that is quoted', () => {
  expect(
    stringsOf('x = { "a": "b", c: "d", "e": `f` }', 'a.js').filter(({ key }) => key !== undefined),
  ).toEqual(
    expect.arrayContaining([
      { value: 'b', start: 11, key: 'a' },
      { value: 'f', start: 30, key: 'e' },
    ]),
  )
})

test('a long chain is no deeper than another', () => {
  const code = `x = ${Array.from({ length: 20_000 }, () => '"a"').join(' + ')}`
  expect(values(code)).toHaveLength(20_000)
})

test('what is no JavaScript is said to be none', () => {
  expect(() => stringsOf('const = 1', 'dist/a.js')).toThrow('dist/a.js: ')
})
