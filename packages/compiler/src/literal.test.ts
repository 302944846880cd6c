import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { asciiJson, singleQuoted, textExpression } from './literal.ts'

const PLACEHOLDERS = [
  '__VITE_PRELOAD__',
  '__VITE_IS_MODERN__',
  '__VITE_ASSET__abcdefghijklmnopqrstuv__',
  '__CLOUDFLARE_MODULE__Text__/x__CLOUDFLARE_MODULE__',
  '__VERSION__',
  '___A___B___',
  '!~{001}~',
  'process.env.NODE_ENV',
  'import.meta.env',
  '//# sourceMappingURL=x.js.map',
  '//# sourceURL=x.js',
]

/** What a bundler makes of an expression: literals are read, and written without needless escapes. */
function printedAnew(expression: string): string {
  return expression.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, (literal) =>
    JSON.stringify(runInNewContext(literal)),
  )
}

test.each(PLACEHOLDERS)('%s is not to be seen in a bundle, and comes back', (placeholder) => {
  for (const text of [placeholder, `a\n${placeholder}\r\n${placeholder}${placeholder} 'b' "c" \\ \u2028`]) {
    const expression = textExpression(text)
    expect(runInNewContext(expression)).toBe(text)
    expect(printedAnew(expression)).not.toContain(placeholder)
    const entry = singleQuoted(asciiJson({ [text]: text }))
    expect(JSON.parse(runInNewContext(entry) as string)).toEqual({ [text]: text })
    expect(printedAnew(entry)).not.toContain(placeholder)
  }
})

test('any other text is a plain literal', () => {
  expect(textExpression('Dear “you”,\r\n`${x}` \\ __init__\n')).toBe(
    String.raw`"Dear “you”,\r\n` + '`${x}`' + String.raw` \\ __init__\n"`,
  )
})

test('no literal ends a script, opens a comment, or holds what a parser may lose', () => {
  const text = '</script> <!-- \ufeff\u2028\u2029'
  const json = singleQuoted(asciiJson(text))
  const literals = [textExpression(text), textExpression(`${text}__A`), json]
  for (const literal of literals) expect(literal).not.toMatch(/<[/!]|[\ufeff\u2028\u2029]/)
  expect(literals.map((literal) => runInNewContext(literal))).toEqual([
    text,
    `${text}__A`,
    runInNewContext(json),
  ])
  expect(JSON.parse(runInNewContext(json) as string)).toBe(text)
})

test('entries are ASCII', () => {
  expect(asciiJson({ ü: '日本語 😀 \u007f' })).toBe(
    String.raw`{"\u00fc":"\u65e5\u672c\u8a9e \ud83d\ude00 \u007f"}`,
  )
})
