import { expect, test } from 'vitest'
import type { Expected, ExpectedModule } from './expected.ts'
import type { Missing } from './verify.ts'
import { verifyBundle } from './verify.ts'

const A = '[{"name":"a","description":"Does a with care."},["SKILL.md","text/markdown",40,"01234567",0,"t0"]]'
const B = '[{"name":"b","description":"Does b at once."},["SKILL.md","text/markdown",31,"89abcdef",1,"t0"]]'
const TEXT = '---\nname: a\ndescription: Does a with care.\n---\nTake your time.\n'
const SHORT = 'notes'

const entry = (name: string, value: string): Expected => ({ value, what: `entry ${name}`, uri: uri(name) })
const uri = (name: string): string => `skill://${name}/SKILL.md`
const content = (value: string, what: string): Expected => ({ value, what })

const MODULES: ReadonlyMap<string, () => ExpectedModule> = new Map([
  ['set', () => ({ strings: new Map([['default', [entry('a', A), entry('b', B)]]]) })],
  [
    'set/~/a',
    () => ({
      isContents: true,
      strings: new Map([
        ['t0', [content(TEXT, 'SKILL.md')]],
        ['t1', [content(SHORT, 'notes.md')]],
      ]),
    }),
  ],
])

/** What is missing from a chunk that holds these modules. */
function missingFrom(code: string, ids: readonly string[] = ['set', 'set/~/a']): readonly Missing[] {
  const modules = new Map(ids.map((id) => [id, undefined]))
  return verifyBundle([{ fileName: 'a.js', code, modules }], [], MODULES)
}

const whats = (missing: readonly Missing[]): string[] => missing.map(({ what }) => what)
const entries = (a = A, b = B): string =>
  `x = { ${JSON.stringify(uri('a'))}: ${JSON.stringify(a)}, ${JSON.stringify(uri('b'))}: ${JSON.stringify(b)} };`
const contents = (text = TEXT, short = SHORT): string =>
  `y = { t0: ${JSON.stringify(text)}, t1: ${JSON.stringify(short)} };`

test('all is there', () => {
  expect(missingFrom(entries() + contents())).toEqual([])
})

test('an entry may be other JSON for the same', () => {
  const escaped = A.replace('care', String.raw`\u0063are`)
  expect(missingFrom(entries(escaped) + contents())).toEqual([])
})

test.each([
  ['names alone', `x = ${JSON.stringify([uri('a'), uri('b')])}`],
  ['one entry, by its name', `x = ${JSON.stringify(A)}`],
  ['entries without contents', entries()],
  ['contents without entries', contents()],
  ['nothing, beside strings of others', `x = ["skill://c/SKILL.md", "---\\nname: ", "text/markdown"]`],
])('what is not used is not missing: %s', (_, code) => {
  expect(missingFrom(code)).toEqual([])
})

test.each<[string, string, string[]]>([
  ['an entry', entries(A.replace('care', 'joy')), ['entry a']],
  ['an entry, all of it', entries('gone'), ['entry a']],
  ['a file table', entries(A, B.replace('89abcdef', 'ffffffff')), ['entry b']],
  ['an entry that stands alone', `x = ${JSON.stringify(A.replace('care', 'joy'))}`, ['entry a']],
  ['the URI of an entry', entries().replace('skill://a/', 'skill://z/'), [`The URI ${uri('a')}`]],
  ['a file', contents(TEXT.replace('care', 'joy')), ['SKILL.md']],
  ['a short file, all of it', contents(TEXT, 'x'), ['notes.md']],
  ['a file in many places', contents(TEXT.replaceAll(' a', ' z').replace('time', 'leave')), ['SKILL.md']],
])('what is rewritten is missing: %s', (_, code, expected) => {
  expect(whats(missingFrom(code))).toEqual(expected)
})

test('contents in a chunk of their own are reached from elsewhere: none of them can be unused', () => {
  expect(whats(missingFrom('export const z = 1', ['set/~/a']))).toEqual(['SKILL.md', 'notes.md'])
})

test('the entry of another set at the same place is not one that was rewritten', () => {
  const other = A.replace(',0,', ',7,')
  const modules = new Map(MODULES)
  modules.set('admin', () => ({ strings: new Map([['default', [entry('a', other)]]]) }))
  const chunk = { fileName: 'a.js', modules: new Map([...modules.keys()].map((id) => [id, undefined])) }
  const code = `x = { ${JSON.stringify(uri('a'))}: ${JSON.stringify(other)} }; y = ${JSON.stringify([uri('a'), uri('b')])}`
  expect(verifyBundle([{ ...chunk, code }], [], modules)).toEqual([])
})

test('several files can be one, where nobody knows which of them holds what', () => {
  const modules = new Map([...MODULES.keys()].map((id) => [id, undefined]))
  expect(verifyBundle([{ fileName: 'dist', code: [entries(), contents()], modules }], [], MODULES)).toEqual(
    [],
  )
})
