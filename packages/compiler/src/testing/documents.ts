import * as fc from 'fast-check'

/** Words that are plain text to all, words that are no text to some, and marks that mean something to some. */
const PLAIN = ['a', 'Use', 'when', 'b2', 'é', '日本', '💰', 'x_y', 'https://x.y/z']
const LOADED = [
  'yes No on y NULL ~ true False .inf .nan = << 1 0 -1 007 0x1F 0b11 0o17 1e3 1.5 1.10 1_000 12:30 12:30:45',
  '2025-10-20 2001-1-1 1.2.3 3D 2nd +1 .5 1. 1e-3 1.5e+3 190:20:30.15 0.1.0 99999999999999999',
].flatMap((words) => words.split(' '))
const MARKS = [...`:#-?*&!|>%@"'[]{},\\/()$;`, '`', '\t', '\u0085', '\u2028', '\u00a0', '\ufeff', '\u0301']
const RARE = ['\u200b', '\u007f', '\ufffe', '5 GB']

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...PLAIN) },
  { weight: 3, arbitrary: fc.constantFrom(...LOADED) },
  { weight: 3, arbitrary: fc.constantFrom(...MARKS, ...RARE) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }) },
)
const text = fc
  .array(fc.tuple(piece, fc.constantFrom('', ' ', ' ', '  ')), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.map(([word, blank]) => word + blank).join(''))

const quoted = fc.oneof(
  text.map((value) => `'${value.replaceAll("'", "''")}'`),
  text.map((value) => JSON.stringify(value)),
  text.map((value) => `"${value}"`),
)
const block = fc
  .tuple(
    fc.constantFrom('|', '>', '|-', '>-', '|+', '>+', '>2', '| # c'),
    fc.array(fc.tuple(fc.constantFrom('', '  ', '   '), text), { maxLength: 4 }),
  )
  .map(([header, rows]) =>
    [header, ...rows.map(([more, row]) => (row === '' ? '' : `  ${more}${row}`))].join('\n'),
  )
const plainLines = fc.array(text, { minLength: 1, maxLength: 3 }).map((rows) => rows.join('\n  '))
const flow = fc.oneof(
  fc.array(fc.oneof(text, quoted), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
  fc
    .array(fc.tuple(text, fc.oneof(text, quoted)), { maxLength: 2 })
    .map((items) => `{${items.map(([key, value]) => `${key}: ${value}`).join(', ')}}`),
)
const comment = fc.constantFrom('', '', '', ' # c', ' #c', '# c')
const value = fc
  .tuple(fc.oneof(text, plainLines, quoted, flow, block, fc.constant('')), comment)
  .map((parts) => parts.join(''))
const key = fc.oneof({ weight: 3, arbitrary: fc.constantFrom('a', 'b', 'c', 'version') }, text, quoted)
const entry = fc.tuple(key, value).map(([name, content]) => `${name}: ${content}`)
const nested = fc
  .tuple(
    key,
    fc.array(
      fc.oneof(
        entry,
        value.map((item) => `- ${item}`),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([name, rows]) => [`${name}:`, ...rows.map((row) => `  ${row.replaceAll('\n', '\n  ')}`)].join('\n'))
const field = fc.oneof({ weight: 4, arbitrary: entry }, nested, fc.constantFrom('', '# c', '  '))
/** Frontmatter fields, many of them odd, each document ending with a line break. */
export const document: fc.Arbitrary<string> = fc
  .array(field, { minLength: 1, maxLength: 4 })
  .map((fields) => `${fields.join('\n')}\n`)

export const RUNS: number = Number(process.env['EMBED_SKILLS_RUNS'] ?? 4000)
export const SEED: number = Number(process.env['EMBED_SKILLS_SEED'] ?? 20_251_130)
