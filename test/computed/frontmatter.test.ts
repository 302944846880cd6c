import { execFileSync } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { JsonObject } from '@embed-skills/runtime'
import { defineSkill } from '@embed-skills/runtime/define'
import { contents } from '@embed-skills/runtime/testing'
import { memorySkillFiles, SkillCatalog } from '@modelcontextprotocol/server/ext/skills'
import matter from 'gray-matter'
import { load as load5 } from 'js-yaml'
// @ts-expect-error It comes without types.
import { safeLoad as load3 } from 'js-yaml-3'
// @ts-expect-error It comes without types.
import { load as load4 } from 'js-yaml-4'
import { parseFrontmatter } from 'skills-ref'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

/** What one reader or another takes for something else. */
const strings = [
  '2025-10-20',
  '2025-10-20T01:02:03Z',
  'yes',
  'No',
  'on',
  'y',
  '~',
  'null',
  'True',
  '0755',
  '0o17',
  '0x1F',
  '12:30:45',
  '1_000',
  '1e3',
  '1.10',
  '.inf',
  '.NaN',
  '-',
  '=',
  '<<',
  '!foo x',
  '&a',
  '*a',
  '@x',
  '`x`',
  '%x',
  '? x',
  '- x',
  '[a]',
  '{a}',
  '',
  ' ',
  ' leading and trailing ',
  'issue #12 x',
  '# x',
  'Use when: x',
  'x:',
  'a\nb\n\n c\n',
  'a\r\nb\rc',
  'tab\tand \b \f \0 \u001b \u007f \u0085 \u00a0 \u2028 \u2029 \ufeff \ufffe \uffff',
  'quotes \' " `` \\ \\n /',
  '---',
  'a\n---\nb',
  'a---b ----- c',
  '...',
  '\u65e5\u672c\u8a9e caf\u00e9 \u{1f4b0}',
  '{{ x }} ${x} <% x %>',
  'x'.repeat(1000),
]
const numbers = [
  0, 1, -1, 0.1, -1.5, 1e-7, 1.5e-9, -2e-10, 1e15, 9007199254740991, 1.5e-300, 123456.789, 45045,
]
const keys = [
  'yes',
  'Y',
  'n',
  'on',
  'null',
  'true',
  '1',
  '1e3',
  '2025-10-20',
  'a b',
  'a: b',
  '#a',
  '-',
  '---x',
  '<<',
  '=',
  '?',
  '',
  '\u65e5',
  'constructor',
  'a-b_c',
  '12:30:45',
  '~',
  '0755',
]

const cases: Record<string, JsonObject> = {
  strings: { list: strings, ...Object.fromEntries(strings.map((text, index) => [`k${index}`, text])) },
  numbers: { list: numbers, ...Object.fromEntries(numbers.map((value, index) => [`k${index}`, value])) },
  keys: { map: Object.fromEntries(keys.map((key) => [key, key])) },
  words: { yes: true, no: false, none: null, list: [true, false, null] },
  nesting: {
    list: [[], {}, [[]], [['a', ['b']], { c: [{ d: {} }] }], { a: 1, b: { c: [1, 2] } }],
    map: { a: { b: { c: { d: ['x'] } } }, e: [], f: {} },
    metadata: { author: 'x', version: '1.0' },
  },
}

const frontmatterOf = (extra: JsonObject) => ({ name: 'a', description: 'd', ...extra })

const readers: Record<string, (markdown: string) => unknown> = {
  'yaml 1.2': (markdown) => parse(between(markdown)),
  'yaml 1.1': (markdown) => parse(between(markdown), { version: '1.1' }),
  'js-yaml 3': (markdown) => load3(between(markdown)),
  'js-yaml 4': (markdown) => load4(between(markdown)),
  'js-yaml 5': (markdown) => load5(between(markdown)),
  'gray-matter': (markdown) => matter(markdown).data,
}

describe.each(Object.entries(cases))('%s', (_, extra) => {
  const wanted = frontmatterOf(extra)

  async function skillMd(): Promise<string> {
    return (await contents(defineSkill('a', wanted, { 'SKILL.md': 'Body with --- in it\n---\n' })))[
      'SKILL.md'
    ] as string
  }

  test.each(Object.entries(readers))('%s reads what was written', async (_, read) => {
    expect(read(await skillMd())).toEqual(wanted)
  })

  test('the official SDK reads what was written', async () => {
    const files = memorySkillFiles({ 'a/SKILL.md': await skillMd() })
    const { entries } = await SkillCatalog.load(files, {
      onWarning: (warning) => expect(warning).toBe('none'),
    })
    expect(entries[0]?.frontmatter).toEqual(wanted)
  })

  test('skills-ref finds the same fences and text', async () => {
    // It makes a text of every value of metadata and knows the fields of the specification alone.
    const [parsed] = parseFrontmatter(await skillMd())
    expect(JSON.parse(JSON.stringify(parsed, withoutMaps))).toEqual(
      JSON.parse(JSON.stringify({ ...wanted, ...stringified(wanted) })),
    )
  })

  const python = pythonWith('yaml')
  test.skipIf(!python)(`PyYAML${python ? '' : ' (skipped: no Python with it here)'}`, async () => {
    expect(await throughPython(python!, await skillMd(), 'yaml.safe_load(text)')).toEqual(wanted)
  })
  const ruamel = pythonWith('ruamel.yaml')
  test.skipIf(!ruamel)(`ruamel${ruamel ? '' : ' (skipped: no Python with it here)'}`, async () => {
    const load = "ruamel.yaml.YAML(typ='safe', pure=True).load(text)"
    expect(await throughPython(ruamel!, await skillMd(), load)).toEqual(wanted)
  })
})

function between(markdown: string): string {
  return /^---\n([^]*?\n)---\n/.exec(markdown)![1]!
}

function withoutMaps(_: string, value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value
}

function stringified({ metadata }: JsonObject): object {
  return metadata ? { metadata } : {}
}

/** The Python that `EMBED_SKILLS_PYTHON` names, or the one on the path, if it has the module. */
function pythonWith(module: string): string | undefined {
  const python = process.env['EMBED_SKILLS_PYTHON'] ?? 'python3'
  try {
    execFileSync(python, ['-c', `import ${module}`], { stdio: 'ignore' })
    return python
  } catch {
    return undefined
  }
}

async function throughPython(python: string, markdown: string, load: string): Promise<unknown> {
  const folder = await mkdtemp(path.join(tmpdir(), 'embed-skills-yaml-'))
  const file = path.join(folder, 'a.yaml')
  await writeFile(file, between(markdown))
  const [module] = load.split('(')[0]!.split(/\.(?:safe_load|YAML)/)
  const code = `import ${module}, json, sys\ntext = open(sys.argv[1], newline='', encoding='utf-8').read()\nprint(json.dumps(${load}))`
  return JSON.parse(execFileSync(python, ['-c', code, file], { encoding: 'utf8' }))
}
