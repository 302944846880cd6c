import { expect, test } from 'vitest'
import { byUri, canonicalUri } from './uri.ts'

test.each([
  ['skill://acme/refunds/SKILL.md', 'skill://acme/refunds/SKILL.md'],
  ['SKILL://acme/SKILL.md', 'skill://acme/SKILL.md'],
  ['skill://acme/Q%26A.md', 'skill://acme/Q&A.md'],
  ['skill://acme/%41.md', 'skill://acme/A.md'],
  ['skill://acme/a b.md', 'skill://acme/a%20b.md'],
  ['skill://acme/ü', 'skill://acme/%C3%BC'],
  ['skill://acme/%c3%bc', 'skill://acme/%C3%BC'],
  ['skill://acme/100%25', 'skill://acme/100%25'],
  ['skill://acme/a%3Fb%23c', 'skill://acme/a%3Fb%23c'],
  ['skill://acme/a+b=c;d,e!f$(g)*[h]|i~j@k:l', 'skill://acme/a+b=c;d,e!f$(g)*[h]|i~j@k:l'],
])('%s is read as %s (protocol E11)', (given, canonical) => {
  expect(canonicalUri(given)).toBe(canonical)
  expect(canonicalUri(canonical)).toBe(canonical)
})

test.each([
  'https://acme/SKILL.md',
  'skill:acme/SKILL.md',
  'skill://',
  'skill://acme/',
  'skill:///SKILL.md',
  'skill://acme//SKILL.md',
  'skill://acme/./SKILL.md',
  'skill://acme/../SKILL.md',
  'skill://acme/%2e%2E/SKILL.md',
  'skill://acme/a%2Fb',
  'skill://acme/a%00b',
  'skill://acme/a?b',
  'skill://acme/a#b',
  'skill://acme/%',
  'skill://acme/%ff',
  'skill://acme/\ud800',
  ' skill://acme/SKILL.md',
  '',
])('no file is at %j', (uri) => {
  expect(canonicalUri(uri)).toBe('')
})

test.each([undefined, null, 7, {}, [['skill://a/b']], [['skill://a/b c']]])(
  'nor at %j, which is no URI',
  (uri) => {
    expect(canonicalUri(uri)).toBe('')
  },
)

test('the order is that of bytes, whatever the language', () => {
  const uris = ['skill://b', 'skill://B', 'skill://a%C3%BC', 'skill://a', 'skill://a/b', 'skill://a-b']
  expect(
    uris
      .map((uri) => ({ uri }))
      .sort(byUri)
      .map(({ uri }) => uri),
  ).toEqual(['skill://B', 'skill://a', 'skill://a%C3%BC', 'skill://a-b', 'skill://a/b', 'skill://b'])
})
