import { SourceMap } from 'node:module'
import { describe, expect, test } from 'vitest'
import { MacroError, placeOf } from './error.ts'
import { macroSet } from './ids.ts'
import { transformMacro } from './transform.ts'

const IMPORT = "import { embedSkills } from '@embed-skills/runtime/macro'\n"

function transform(code: string, file = '/app/src/server.ts'): ReturnType<typeof transformMacro> {
  return transformMacro(code, file, { root: '/app' })
}

/** The code with ids shortened to their sources. */
function readable(code: string, file?: string): string | undefined {
  return transform(code, file)?.code.replaceAll(/"(virtual:[^"]+)"/g, (_, id: string) =>
    JSON.stringify(macroSet(id).sources).replaceAll('"', "'"),
  )
}

/** The sources of the only call. */
function sources(argument: string, file?: string): unknown {
  const { sets } = transform(`${IMPORT}export default embedSkills(${argument})`, file)!
  return macroSet(sets[0]!).sources
}

/** `line:column message` of the error, both from 1. */
function error(code: string): string {
  try {
    transform(code)
  } catch (error) {
    if (!(error instanceof MacroError)) throw error
    const { line, column } = placeOf(code, error.offset)
    return `${line}:${column + 1} ${error.message}`
  }
  return 'no error'
}

test('what compiling would refuse is an error with its place', () => {
  const at = (argument: string): string => error(`${IMPORT}export default embedSkills(${argument})`)
  expect(at('[]')).toMatch(/^2:28 No sources/)
  expect(at("['!./skills/x']")).toMatch(/^2:28 No sources/)
  expect(at("{ from: './skills/*', prefx: 'x' }")).toMatch(/^2:28 A source: there is no option `prefx`/)
  expect(at("{ from: './skills/*', ignore: 'x' }")).toMatch(/^2:28 A source: `ignore` is an array of globs/)
  expect(at("{ vendor: 'emacs' }")).toMatch(/^2:28 There is no agent/)
  expect(at('/x/')).toMatch(/^2:28 embedSkills\(\) is compiled before/)
  expect(at('5n')).toMatch(/^2:28 embedSkills\(\) is compiled before/)
})

describe('what is rewritten', () => {
  test('a call becomes an import, where the import of the macro stood', () => {
    expect(readable(`'use server'\n${IMPORT}export const skills = embedSkills('./skills/*')\n`)).toBe(
      "'use server'\nimport __embedSkills0 from [{'from':'skills/*','base':'src'}];\nexport const skills = __embedSkills0\n",
    )
  })

  test('the binding counts, not the name', () => {
    expect(
      readable(`import { embedSkills as macro, type MacroSource } from '@embed-skills/runtime/macro'
macro('/a/*')
{ const macro = (x) => x; macro('./b/*') }
function f(macro) { return macro('./c/*') }
embedSkills('./d/*')
// macro('./e/*')
const text = "macro('./f/*')"
`),
    )
      .toBe(`import __embedSkills0 from [{'from':'a/*','base':'.'}]; import { type MacroSource } from '@embed-skills/runtime/macro';
__embedSkills0
{ const macro = (x) => x; macro('./b/*') }
function f(macro) { return macro('./c/*') }
embedSkills('./d/*')
// macro('./e/*')
const text = "macro('./f/*')"
`)
  })

  test('a declaration that comes later shadows as well', () => {
    const code = `${IMPORT}function f() { return embedSkills(x); var embedSkills }\nembedSkills('/a/*')`
    expect(readable(code)).toContain('return embedSkills(x); var embedSkills')
  })

  test.each([
    ["import * as macro from '@embed-skills/runtime/macro'\nmacro.embedSkills('/a/*')", '__embedSkills0'],
    ["import * as macro from '@embed-skills/runtime/macro'\nmacro['embedSkills']('/a/*')", '__embedSkills0'],
    [`${IMPORT}embedSkills('/a/*') as unknown`, '__embedSkills0 as unknown'],
    [`${IMPORT}embedSkills('/a/*')!`, '__embedSkills0!'],
    [`${IMPORT}(embedSkills as any)('/a/*')`, '__embedSkills0'],
    [`${IMPORT}embedSkills<'/a/*'>('/a/*')`, '__embedSkills0'],
    [`${IMPORT}f(/* skills */ embedSkills('/a/*'))`, 'f(/* skills */ __embedSkills0)'],
    [
      `${IMPORT}type T = typeof embedSkills\nembedSkills('/a/*')`,
      'type T = typeof embedSkills\n__embedSkills0',
    ],
  ])('%s', (code, expected) => {
    expect(readable(code)!.split('\n').slice(1).join('\n')).toBe(expected)
  })

  test('equal calls share one import, and names in use are passed over', () => {
    const code = readable(
      `${IMPORT}const __embedSkills0 = [embedSkills('/a/*'), embedSkills('/a/*'), embedSkills('/b/*')]`,
    )
    expect(code).toContain('const __embedSkills0 = [__embedSkills1, __embedSkills1, __embedSkills2]')
  })

  test.each([
    "const embedSkills = (x) => x; embedSkills('./skills/*')",
    "import { embedSkills } from './mine.js'\nembedSkills('./skills/*') // @embed-skills/runtime/macro",
    "import type { embedSkills } from '@embed-skills/runtime/macro'\nlet x: typeof embedSkills",
    "import { type embedSkills } from '@embed-skills/runtime/macro'\nlet x: typeof embedSkills",
    `${IMPORT}this is no JavaScript`,
  ])('nothing in %s', (code) => {
    expect(transform(code)).toBeUndefined()
  })

  test('an import that is not used goes', () => {
    expect(readable(IMPORT)).toBe(';\n')
  })

  test('JSX and plain JavaScript are read too', () => {
    const code = `${IMPORT}const x = <A b={embedSkills('/a/*')} />`
    for (const file of ['/app/a.tsx', '/app/a.jsx', '/app/a.vue', '/app/a.js?x'])
      expect(readable(code, file)).toContain('<A b={__embedSkills0} />')
  })

  test('the map leads back', () => {
    const code = `${IMPORT}\nconst before = embedSkills('/a/*'), after = 1\n`
    const { code: written, map } = transform(code)!
    const line = written.split('\n').findIndex((text) => text.includes('after'))
    const entry = new SourceMap(JSON.parse(map.toString())).findEntry(
      line,
      written.split('\n')[line]!.indexOf('after'),
    )
    expect(entry).toMatchObject({ originalLine: 2, originalColumn: code.split('\n')[2]!.indexOf('after') })
  })
})

describe('sources', () => {
  test.each([
    ["'./skills/*'", [{ from: 'skills/*', base: 'src' }]],
    ["'../skills/*'", [{ from: 'skills/*', base: '.' }]],
    ["'./../../x/*'", [{ from: 'x/*', base: '..' }]],
    ["'/skills/**'", [{ from: 'skills/**', base: '.' }]],
    ["'.'", [{ from: '.', base: 'src' }]],
    ['`./skills/*`', [{ from: 'skills/*', base: 'src' }]],
    ["'./skills/*' as const", [{ from: 'skills/*', base: 'src' }]],
    [
      "['./a/*', '/b/*', '!./a/x', '!/b/y']",
      [
        { from: 'a/*', base: 'src', ignore: ['a/x', '../b/y'] },
        { from: 'b/*', base: '.', ignore: ['src/a/x', 'b/y'] },
      ],
    ],
    [
      "{ from: ['./a/*', '/b/*'], prefix: 'acme', ignore: ['*.tmp'] }",
      [
        { prefix: 'acme', ignore: ['*.tmp'], from: 'a/*', base: 'src' },
        { prefix: 'acme', ignore: ['*.tmp'], from: 'b/*', base: '.' },
      ],
    ],
    ["{ package: '@acme/sdk' }", [{ package: '@acme/sdk' }]],
  ])('%s', (argument, expected) => {
    expect(sources(argument)).toEqual(expected)
  })

  test('the folder of the file is no part of the glob', () => {
    expect(sources("'./skills/*'", '/app/a (x)/[id]/page.ts')).toEqual([
      { from: 'skills/*', base: 'a (x)/[id]' },
    ])
  })

  test('ids come from places below the root, wherever that is', () => {
    const code = `${IMPORT}embedSkills('./skills/*')`
    const there = transformMacro(code, '/elsewhere/app/src/server.ts', { root: '/elsewhere/app' })
    expect(there!.sets).toEqual(transform(code)!.sets)
  })

  test('a glob from the root is told, for its types', () => {
    const { globs } = transform(`${IMPORT}embedSkills('/a/*'); embedSkills('./b/*'); embedSkills(['/c/*'])`)!
    expect(globs).toEqual(['/a/*'])
  })
})

describe('what cannot be compiled', () => {
  test.each([
    ['embedSkills(globs)', '2:13 embedSkills() is compiled before anything runs'],
    ['embedSkills(`./${x}/*`)', '2:13 embedSkills() is compiled before anything runs'],
    ["embedSkills('./a/*' + x)", '2:13 embedSkills() is compiled before anything runs'],
    ["embedSkills(...['./a/*'])", '2:13 embedSkills() is compiled before anything runs'],
    ["embedSkills({ from: './a/*', [x]: 1 })", '2:30 embedSkills() is compiled before anything runs'],
    ['embedSkills()', "2:1 Say where skills are: embedSkills('./skills/*')"],
    ["embedSkills('./a/*', './b/*')", '2:22 embedSkills takes one argument'],
    ["embedSkills('skills/*')", "2:13 Write './skills/*' for what is beside this file, or '/skills/*'"],
    ['embedSkills(1)', "2:13 A source is a glob such as './skills/*' or an object; got 1"],
    ["embedSkills({ from: './a/*', base: 'x' })", '2:13 `base` is not for embedSkills()'],
    ['const f = embedSkills', '2:11 `embedSkills` can only be called'],
    ['export { embedSkills }', '2:10 `embedSkills` can only be called'],
    ["new embedSkills('./a/*')", '2:5 `embedSkills` can only be called'],
    ['embedSkills`./a/*`', '2:1 `embedSkills` can only be called'],
    ["(0, embedSkills)('./a/*')", '2:5 `embedSkills` can only be called'],
  ])('%s', (code, expected) => {
    expect(error(IMPORT + code)).toContain(expected)
  })

  test('a namespace that is passed on', () => {
    expect(
      error("import * as macro from '@embed-skills/runtime/macro'\nconst { embedSkills } = macro"),
    ).toContain(
      "2:25 `macro` can only be called, since the call is compiled away. Call it here: macro.embedSkills('./skills/*')",
    )
  })
})
