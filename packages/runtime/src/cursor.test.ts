import { expect, test } from 'vitest'
import { afterCursor } from './cursor.ts'

test('without a cursor a walk begins at the start', () => {
  expect(afterCursor(undefined)).toBe('')
  expect(afterCursor('')).toBe('')
})

test('a cursor is the last URI that was seen, there or not', () => {
  expect(afterCursor('skill://acme/gone/SKILL.md')).toBe('skill://acme/gone/SKILL.md')
})

test.each([
  null,
  0,
  100,
  false,
  {},
  [],
  'MTAw',
  '100',
  'skill://',
  'SKILL://a/b',
  'skill://a/%41',
  'skill://a/..',
])('%j is no cursor of ours', (cursor) => {
  expect(() => afterCursor(cursor)).toThrow(expect.objectContaining({ code: -32602 }))
})
