import { expect, test } from 'vitest'
import { afterCursor } from './cursor.ts'

test('without a cursor a walk begins at the start', () => {
  expect(afterCursor(undefined)).toBe('')
})

test('a cursor is the last URI that was seen, there or not', () => {
  expect(afterCursor('skill://acme/gone/SKILL.md')).toBe('skill://acme/gone/SKILL.md')
})

test('a cursor may be spelled in any way', () => {
  expect(afterCursor('SKILL://a/%41')).toBe('skill://a/A')
})

test.each([null, '', 0, 100, false, {}, [], 'MTAw', '100', 'skill://', 'skill://a/..'])(
  '%j is no cursor of ours',
  (cursor) => {
    expect(() => afterCursor(cursor)).toThrow(expect.objectContaining({ code: -32602 }))
  },
)
