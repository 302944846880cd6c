import { describe, expect, test } from 'vitest'
import { broken, compileOne, lines } from '../testing/tree.ts'

const F = 'name: a\ndescription: d\n'

/** Fields of all sorts stand in these files, and each reader has its own view of them. */
const rules = { 'unknown-field': 'off', 'portable-values': 'off', 'portable-yaml': 'off' } as const

/** The frontmatter of a file that no rule objects to. */
async function read(text: string): Promise<unknown> {
  const result = await compileOne(text, { rules })
  expect(lines(result)).toEqual([])
  expect(Buffer.from(result.skills[0]!.files[0]!.bytes).toString()).toBe(text)
  return result.skills[0]?.frontmatter
}

/** The first diagnostic of a file, and its help. */
async function first(content: string | Uint8Array): Promise<[string | undefined, string | undefined]> {
  const result = await compileOne(content, { rules })
  expect(result.skills).toEqual([])
  return [lines(result)[0]?.replace('skills/a/SKILL.md:', ''), result.diagnostics[0]?.help]
}

describe('fences', () => {
  test('a byte order mark may lead, and stays in the bytes', async () => {
    expect(await read(`\uFEFF---\n${F}---\nB`)).toEqual({ name: 'a', description: 'd' })
  })

  test('CRLF is read as LF, and stays in the bytes', async () => {
    const text = '---\r\nname: a\r\ndescription: |\r\n  x\r\n  y\r\n---\r\nB\r\n'
    expect(await read(text)).toEqual({ name: 'a', description: 'x\ny\n' })
    expect(await read(`---\r\n${F}---\nB\r\n`)).toEqual({ name: 'a', description: 'd' })
  })

  test('blanks may follow the closing line, and nothing else needs to', async () => {
    expect(await read(`---\n${F}--- \t\nB`)).toEqual({ name: 'a', description: 'd' })
    expect(await read(`---\n${F}---`)).toEqual({ name: 'a', description: 'd' })
  })

  test('`---` inside of values and of the body closes nothing', async () => {
    const yaml = 'name: a\ndescription: x --- y\n# ---z---\nmetadata:\n  n: |\n    p\n    ---\n    q\n'
    expect(await read(`---\n${yaml}---\nB\n\n---\n\nC`)).toEqual({
      name: 'a',
      description: 'x --- y',
      metadata: { n: 'p\n---\nq\n' },
    })
  })

  test.each([
    [
      'a lone CR',
      '---\rname: a\rdescription: d\r---\rB',
      '1:1 error fence: The lines end with a lone carriage return',
    ],
    ['a blank line first', `\n---\n${F}---\n`, '1:1 error fence: Something stands before the frontmatter'],
    [
      'a comment first',
      `<!-- x -->\n---\n${F}---\n`,
      '1:1 error fence: Something stands before the frontmatter',
    ],
    [
      'a code fence first',
      `\`\`\`yaml\n---\n${F}---\n`,
      '1:1 error fence: Something stands before the frontmatter',
    ],
    [
      'two byte order marks',
      `\uFEFF\uFEFF---\n${F}---\n`,
      '1:1 error fence: Something stands before the frontmatter',
    ],
    [
      'blanks after the opener',
      `--- \n${F}---\n`,
      '1:1 error fence: The first line must be `---` and nothing else',
    ],
    ['no frontmatter', '# Title\n\ntext\n', '1:1 error fence: SKILL.md has no frontmatter'],
    ['an empty file', '', '1:1 error fence: SKILL.md has no frontmatter'],
    ['no closing line', `---\n${F}\nB`, '1:1 error fence: The frontmatter is not closed'],
    ['dots for a closing line', `---\n${F}...\nB`, '4:1 error fence: `...` does not close the frontmatter'],
  ])('%s is an error', async (_, text, line) => {
    expect((await first(text))[0]).toBe(line)
  })
})

describe('encodings', () => {
  test('a SKILL.md that is not UTF-8 is an error with the place', async () => {
    const gbk = Buffer.concat([
      Buffer.from('---\nname: a\ndescription: '),
      Buffer.from([0xd6, 0xd0]),
      Buffer.from('\n'),
    ])
    expect((await first(gbk))[0]).toBe('3:14 error encoding: SKILL.md is not valid UTF-8')
  })

  test('UTF-16 is called by its name', async () => {
    const little = Buffer.from(`\uFEFF---\n${F}---\n`, 'utf16le')
    expect((await first(little))[0]).toBe('1:1 error encoding: SKILL.md is UTF-16 LE, not UTF-8')
    expect((await first(Buffer.from(little).swap16()))[0]).toContain('UTF-16 BE')
  })
})

describe('YAML syntax', () => {
  test.each([
    ['description: Use this when: x', '3:14', 'description: "Use this when: x"'],
    ['description: **Use when** x', '3:14', 'description: "**Use when** x"'],
    ['description: @x', '3:14', 'description: "@x"'],
    ['description: `x` y', '3:14', 'description: "`x` y"'],
    ['description: %x', '3:14', 'description: "%x"'],
    ['description: - x', '3:14', 'description: "- x"'],
    ['description: [a] [b]', '3:14', 'description: "[a] [b]"'],
    ['description: [a', '3:14', 'description: "[a"'],
    ['description: say "no": x', '3:14', `description: 'say "no": x'`],
    ["description: it's so: x", '3:14', 'description: "it\'s so: x"'],
  ])('%s: the help shows it quoted', async (line, place, quoted) => {
    const [said, help] = await first(`---\nname: a\n${line}\n---\n`)
    expect(said).toMatch(new RegExp(`^${place} error yaml-syntax: `))
    expect(help).toBe(`Quote the value: ${quoted}`)
  })

  test('a key that stands twice, a tab and an open quote have their places', async () => {
    expect((await first(`---\n${F}name: b\n---\n`))[0]).toBe('4:1 error yaml-syntax: A key stands here twice')
    expect((await first(`---\n${F}m:\n\tx: y\n---\n`))[0]).toBe(
      '5:1 error yaml-syntax: YAML is not indented with tabs',
    )
    expect((await first('---\nname: "a\n---\n'))[0]).toMatch(/^\d+:\d+ error yaml-syntax: Missing closing/)
  })

  test('places count from the file, whatever its line endings', async () => {
    const text = '\uFEFF---\r\nname: a\r\n\r\ndescription: x: y\r\n---\r\n'
    expect((await first(text))[0]).toMatch(/^4:14 error yaml-syntax/)
  })

  test('Markdown where YAML should be means that the frontmatter is not closed', async () => {
    const [said, help] = await first(`---\n${F}\n# Title\n\nSome text\n\n---\n`)
    expect(said).toBe('7:1 error yaml-syntax: This is no YAML')
    expect(help).toBe('Close the frontmatter: put a line `---` after its last field.')
  })

  test('thousands of brackets are an error, not a crash', async () => {
    expect((await first(`---\n${F}x: ${'['.repeat(50_000)}\n---\n`))[0]).toMatch(/error yaml-syntax/)
  })
})

describe('shapes', () => {
  test.each([
    ['---\n---\nB', 'The frontmatter is empty'],
    ['---\n# c\n---\n', 'The frontmatter is empty'],
    [`---\n---\n${F}---\n`, 'The frontmatter is empty'],
    ['---\n- a\n---\n', 'The frontmatter is a list, not a mapping'],
    ['---\njust text\n---\n', 'The frontmatter is a single value, not a mapping'],
  ])('%j is an error', async (text, message) => {
    expect((await first(text))[0]).toContain(`error frontmatter-mapping: ${message}`)
  })
})

describe('values', () => {
  test('everything that the author wrote is kept as YAML 1.2 reads it', async () => {
    const yaml =
      'x: 2025-10-20\na: yes\nb: 0755\nc: 1_000\nd: 1e3\ne: [1, {k: v}]\nf: null\ng: "\\ud83d\\udcb0"\nh: -1.5\n'
    expect(await read(`---\n${F}${yaml}---\n`)).toEqual({
      name: 'a',
      description: 'd',
      x: '2025-10-20',
      a: 'yes',
      b: 755,
      c: '1_000',
      d: 1000,
      e: [1, { k: 'v' }],
      f: null,
      g: '💰',
      h: -1.5,
    })
  })

  test('keys that name members of Object.prototype are ordinary', async () => {
    const value = (await read(`---\n${F}constructor: x\ntoString: y\nhasOwnProperty: z\n---\n`)) as object
    expect(Object.keys(value)).toEqual(['name', 'description', 'constructor', 'toString', 'hasOwnProperty'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  test.each([
    ['metadata:\n  __proto__: x', '5:3', 'No key may be called `__proto__`'],
    ['"__proto__": {polluted: x}', '4:1', 'No key may be called `__proto__`'],
    ['1: x', '4:1', 'The key `1` is not a string'],
    ['true: x', '4:1', 'The key `true` is not a string'],
    ['x: .nan', '4:4', '`.nan` is no number that JSON knows'],
    ['x: [-.inf]', '4:5', '`-.inf` is no number that JSON knows'],
    ['x: 1e999', '4:4', '`1e999` is no number that JSON knows'],
    ['x: 12345678901234567890', '4:4', '`12345678901234567890` has more digits than a JSON number keeps'],
    ['x: "\\ud83d"', '4:4', 'Half of a surrogate pair is no character'],
  ])('%s has no JSON form', async (line, place, message) => {
    expect((await first(`---\n${F}${line}\n---\n`))[0]).toBe(`${place} error json-values: ${message}`)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('YAML that the official reader refuses', () => {
  test.each([
    ['x: &b 1', '4:7', 'Anchors'],
    ['x: *b', '4:4', 'Aliases'],
    ['x: !!str 1', '4:10', 'Tags'],
    ['x: !foo b', '4:9', 'Tags'],
    ['<<: {x: 1}', '4:1', 'A merge key'],
    ['? x\n: y', '4:3', 'Explicit keys'],
    ['?x: y', '4:1', 'Explicit keys'],
    ['x:\n  - ?y', '5:5', 'Explicit keys'],
    ['x: "y\\"\n"z  ": w', '4:4', 'The quoted value is not closed'],
    ['x: "one\n  two"', '4:4', 'A quoted value'],
    ["x: 'one\n\n  two'", '4:4', 'A quoted value'],
    ['x:\n  {\n    "a": 1,\n  }', '5:3', 'A `\\[…\\]`'],
    ['x: |2\n   y', '4:4', 'A block value'],
    ['x: [a: b]', '4:5', 'An entry'],
    ['x: {a}', '4:5', 'An entry'],
    ['...', '4:1', 'A document marker'],
  ])('%j', async (line, place, message) => {
    expect((await first(`---\n${F}${line}\n---\n`))[0]).toMatch(
      new RegExp(`^${place} error yaml-subset: ${message}`),
    )
  })

  test.each(['x: is it so ?\ny: z', 'x: |\n  so\n  ?\ny: z', 'x: {?y: z}', 'x: "a \\" b"', "x: 'y\\'"])(
    '%j is none of it',
    async (yaml) => {
      expect(await read(`---\n${F}${yaml}\n---\n`)).toHaveProperty('x')
    },
  )

  test('it can be allowed, and then YAML is read in full', async () => {
    const text = `---\n${F}x: "one\n  two"\n---\n`
    const { skills } = await compileOne(text, { rules: { 'yaml-subset': 'off' } })
    expect(skills[0]?.frontmatter).toEqual({ name: 'a', description: 'd', x: 'one two' })
  })

  test('aliases are never followed, even then', async () => {
    const bomb = 'a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n'
    const { skills } = await compileOne(`---\n${F}${bomb}---\n`, { rules: { 'yaml-subset': 'off' } })
    expect(skills).toEqual([])
  })
})

test('an error of the value is told from one of the syntax', async () => {
  expect(broken(await compileOne('---\nname: .nan\n---\n'))).toEqual(['json-values'])
})
