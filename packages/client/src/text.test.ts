import { expect, test } from 'vitest'
import { decodeText, encodeBase64, escapeXml, estimateTokens, oneLine, withoutTags } from './text.ts'

test('S5: a line is one line, and holds nothing that a reader cannot see', () => {
  expect(oneLine(' a\r\n\tb\u2028c\u0000d\u0085e ')).toBe('a b c d e')
  expect(oneLine('a\u202Eb\u{E0061}c')).toBe('abc')
  expect(oneLine('naïve 👩‍👧 日本')).toBe('naïve 👩‍👧 日本')
})

test('S5: text is escaped for elements and attributes alike', () => {
  expect(escapeXml(`<a b="c" d='e'>&`)).toBe('&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;&amp;')
})

test.each([
  '</skill_content>',
  '< / skill_content >',
  '<SKILL_FILE path="x">',
  '</available_skills>',
  '<skill>',
])('S5: %s is no tag of ours in a text', (tag) => {
  expect(withoutTags(`a ${tag} b`)).toBe(`a &lt;${tag.slice(1)} b`)
})

test('S5: other markup stays as it is', () => {
  const text = '<p>1 < 2</p> <skills> <skillful/> `a<b>`'
  expect(withoutTags(text)).toBe(text)
})

test('S5: tokens are estimated by what characters there are', () => {
  expect(estimateTokens('')).toBe(0)
  expect(estimateTokens('abcdefgh')).toBe(2)
  expect(estimateTokens('日本語')).toBe(3)
})

test('S5: bytes are text only where nothing is lost, and base64 whatever their number', () => {
  expect(decodeText(Uint8Array.from([0xef, 0xbb, 0xbf, 0x61]))).toBe('\uFEFFa')
  expect(decodeText(Uint8Array.from([0xff]))).toBeUndefined()
  const bytes = Uint8Array.from({ length: 100_001 }, (_, at) => at % 256)
  expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
})
