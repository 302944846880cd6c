import { expect, test } from 'vitest'
import { broken, compileOne, compileTree, lines, skillMd } from '../testing/tree.ts'
import type { CompileResult, Diagnostic } from '../types.ts'
import { rules } from './index.ts'

/** What is said of `skills/a/SKILL.md` with this frontmatter: place, rule and message, and the help. */
async function said(yaml: string): Promise<[string, string][]> {
  const rules = { 'unknown-field': 'off', 'portable-values': 'off' } as const
  const { diagnostics } = await compileOne(`---\n${yaml}\n---\nB`, { rules })
  const short = ({ line, column, rule, message }: Diagnostic): string =>
    `${line}:${column} ${rule}: ${message}`
  return diagnostics.map((diagnostic) => [short(diagnostic), diagnostic.help])
}

test('every rule has an id of its own in kebab case, and says what it asks for', () => {
  const ids = rules.map((rule) => rule.id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const rule of rules) {
    expect(rule.id).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(rule.description).toMatch(/\.$/)
  }
})

test('a name that YAML reads as a number is to be quoted', async () => {
  const result = await compileTree({ 'skills/8004/SKILL.md': '---\nname: 8004\ndescription: d\n---\n' })
  expect(lines(result)).toEqual(['skills/8004/SKILL.md:2:7 error name: `name` is not a string'])
  expect(result.diagnostics[0]?.help).toBe('Quote it: name: "8004"')
  expect(
    await compileTree({ 'skills/8004/SKILL.md': '---\nname: "8004"\ndescription: d\n---\n' }),
  ).toMatchObject({
    diagnostics: [],
    skills: [{ frontmatter: { name: '8004' } }],
  })
})

test('a name that is missing or empty', async () => {
  expect(await said('description: d')).toEqual([['1:1 name: `name` is missing', 'Write `name: a`.']])
  expect(await said('description: d\nname:')).toEqual([['3:1 name: `name` is empty', 'Write `name: a`.']])
})

test.each([
  'My Skill',
  'my_skill',
  'a--b',
  '-a',
  'a-',
  'a.b',
  'contact-center/android',
  'café',
  'a'.repeat(65),
])('the name %s has the wrong form', async (name) => {
  const [[message] = []] = await said(`name: ${name}\ndescription: d`)
  expect(message).toMatch(/^2:7 name: `name` is .*must be 1 to 64 of a-z and 0-9/)
})

test('a name that is not the folder', async () => {
  expect(await said('name: other\ndescription: d')).toEqual([
    [
      '2:7 name-mismatch: `name` is `other`, but the folder is `a`',
      'Rename the folder to `other`, write `name: a`, or serve it at another path with `rename`.',
    ],
  ])
})

test('descriptions', async () => {
  const message = async (line: string): Promise<string | undefined> =>
    (await said(`name: a\n${line}`))[0]?.[0]
  expect(await message('')).toBe('1:1 description: `description` is missing')
  expect(await message('description:')).toBe('3:1 description: `description` is empty')
  expect(await message('description: ""')).toBe('3:14 description: `description` is empty')
  expect(await message('description: 7')).toBe('3:14 description: `description` is not a string')
  expect(await message(`description: ${'💰'.repeat(1024)}`)).toBeUndefined()
  expect(await message(`description: ${'💰'.repeat(1025)}`)).toBe(
    '3:14 description: `description` is 1025 characters long',
  )
})

test('S10: compatibility', async () => {
  const message = async (line: string): Promise<string | undefined> =>
    (await said(`name: a\ndescription: d\n${line}`))[0]?.[0]
  expect(await message(`compatibility: ${'é'.repeat(500)}`)).toBeUndefined()
  expect(await message(`compatibility: ${'é'.repeat(501)}`)).toMatch('4:16 compatibility: ')
  expect(await message('compatibility: [node]')).toBe('4:16 compatibility: `compatibility` is not a string')
  expect(await message('compatibility:')).toBe('4:1 compatibility: `compatibility` is empty')
})

test('S10: metadata that are not strings, each at its place', async () => {
  const yaml =
    'name: a\ndescription: d\nmetadata:\n  v: 2\n  tags: [x, y]\n  m: {k: v}\n  e:\n  b: true\n  ok: "1"'
  expect(await said(yaml)).toEqual([
    ['5:6 metadata: `metadata.v` is a number, not a string', 'Quote it: v: "2"'],
    ['6:9 metadata: `metadata.tags` is a list, not a string', 'Write it as one string: tags: "x, y"'],
    [
      '7:6 metadata: `metadata.m` is a mapping, not a string',
      'Write it as one string, or as a field of its own outside of `metadata`.',
    ],
    ['8:3 metadata: `metadata.e` is empty, not a string', 'Give it a value, or remove it.'],
    ['9:6 metadata: `metadata.b` is a boolean, not a string', 'Quote it: b: "true"'],
  ])
  expect((await said('name: a\ndescription: d\nmetadata:'))[0]?.[0]).toBe('4:1 metadata: `metadata` is empty')
})

test('other fields pass through as they are', async () => {
  const { skills, diagnostics } = await compileOne(
    skillMd('a', 'allowed-tools: [Read, "Bash(git:*)"]\nversion: "1"\n'),
  )
  expect(diagnostics.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual([
    'info allowed-tools',
    'info unknown-field',
  ])
  expect(skills[0]?.frontmatter).toMatchObject({ 'allowed-tools': ['Read', 'Bash(git:*)'], version: '1' })
})

test('keys of metadata that are reserved', async () => {
  expect(await said('name: a\ndescription: d\nmetadata:\n  io.modelcontextprotocol/x: "1"')).toEqual([
    [
      '5:3 reserved-metadata: `io.modelcontextprotocol/x` is reserved for the protocol',
      'Begin the key with a domain of your own.',
    ],
  ])
})

test('A11: 512 files are within the limits, 513 are not, and are served', async () => {
  const files = Object.fromEntries(Array.from({ length: 511 }, (_, index) => [`skills/a/n/${index}`, 'x']))
  expect(broken(await compileTree({ ...files, 'skills/a/SKILL.md': skillMd('a') }))).toEqual([])
  const more = await compileTree({ ...files, 'skills/a/SKILL.md': skillMd('a'), 'skills/a/one': 'x' })
  expect(broken(more)).toEqual(['limits'])
  expect(more.skills).toHaveLength(1)
})

test('A11: 16,777,216 bytes are within the limits, one more is not', async () => {
  const skill = skillMd('a')
  const rest = 16_777_216 - skill.length
  const files = (size: number) => ({ 'skills/a/SKILL.md': skill, 'skills/a/x.bin': new Uint8Array(size) })
  expect(broken(await compileTree(files(rest)))).toEqual([])
  const over = await compileTree(files(rest + 1))
  expect(broken(over)).toEqual(['limits'])
  expect(over.diagnostics[0]?.help).toContain(`The largest: \`x.bin\` (${rest + 1} bytes), \`SKILL.md\` (`)
})

test('a skill path has as many segments as the runtime looks for', async () => {
  const at = (depth: number): Promise<CompileResult> =>
    compileTree({ [`skills/${'a/'.repeat(depth - 1)}b/SKILL.md`]: skillMd('b') }, 'skills/**')
  expect(broken(await at(99))).toEqual([])
  expect(broken(await at(100))).toEqual(['prefix'])
})

test('two names that are one on macOS', async () => {
  const result = await compileTree({ 'skills/a/SKILL.md': skillMd('a'), 'skills/a/skill.md': 'x' })
  if (result.skills[0]?.files.length === 1) return // This file system is such a one.
  expect(lines(result)).toEqual([
    'skills/a/skill.md warning case-collision: `SKILL.md` and `skill.md` are one file on macOS and Windows',
  ])
})

test('two skills of one name are both served, and warned about', async () => {
  const files = {
    'skills/x/review/SKILL.md': skillMd('review'),
    'skills/y/review/SKILL.md': skillMd('review'),
  }
  const result = await compileTree(files, 'skills/**')
  expect(result.skills.map((skill) => skill.uri)).toEqual([
    'skill://x/review/SKILL.md',
    'skill://y/review/SKILL.md',
  ])
  expect(lines(result)).toEqual([
    'skills/y/review/SKILL.md:2:7 warning same-name: `x/review` has the same name as `y/review`',
  ])
})

test('one path in two sources: the same contents are merged, others refused', async () => {
  const same = { 'one/a/SKILL.md': skillMd('a'), 'two/a/SKILL.md': skillMd('a') }
  const merged = await compileTree(same, ['one/*', 'two/*', 'one/**', 'one/a'])
  expect(lines(merged)).toEqual([])
  expect(merged.skills).toHaveLength(1)
  const refused = await compileTree({ ...same, 'two/a/x.md': '' }, ['one/*', 'two/*'])
  expect(refused.skills).toEqual([])
  expect(lines(refused)).toEqual([
    'one/a error duplicate-uri: `two/a` has the path `a` too, and other contents',
    'two/a error duplicate-uri: `one/a` has the path `a` too, and other contents',
  ])
})

test('a path inside of another source’s skill must hold what that skill holds', async () => {
  const outer = { 'one/a/SKILL.md': skillMd('a'), 'one/a/b/SKILL.md': skillMd('b') }
  const sources = ['one/*', { from: 'two/*', prefix: 'a' }]
  const agreed = await compileTree({ ...outer, 'two/b/SKILL.md': skillMd('b') }, sources)
  expect(agreed.skills.map((skill) => skill.path)).toEqual(['a', 'a/b'])
  const refused = await compileTree({ ...outer, 'two/b/SKILL.md': skillMd('b', 'license: MIT\n') }, sources)
  expect(refused.skills).toEqual([])
  expect(broken(refused)).toEqual(['duplicate-uri'])
})
