import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import path from 'node:path'
import type { CompiledSkill, CompileResult, SourceInput } from '@embed-skills/compiler'
import { compile } from '@embed-skills/compiler'
import { describe, expect, test } from 'vitest'
import { importSkills } from '../support/modules.ts'
import { writeTree as tree } from '../support/tree.ts'
import type { Tree } from '../support/tree.ts'

/*
 * Inputs that were met in public collections of skills, by the number that each kind has in the list of them. What is
 * refused has to say so with an error, and what is accepted has to come out with its bytes as they are.
 */

const F = 'name: a\ndescription: d\n'

type Content = string | Uint8Array

async function run(files: Tree, sources: SourceInput | SourceInput[] = 'skills/*'): Promise<CompileResult> {
  return compile(sources, { root: tree(files) })
}

/** The skill in a file that is accepted; warnings and notes are given as `severity rule`. */
async function accepted(content: Content): Promise<{ skill: CompiledSkill; notes: string[] }> {
  const { skills, diagnostics } = await run({ 'skills/a/SKILL.md': content })
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  expect(errors).toEqual([])
  const [skill] = skills
  const bytes = Buffer.from(content as string)
  expect(Buffer.compare(skill!.files[0]!.bytes, bytes)).toBe(0)
  expect(skill!.files[0]!.digest).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`)
  return { skill: skill!, notes: diagnostics.map(({ severity, rule }) => `${severity} ${rule}`) }
}

/** The rules that refuse a file, and the help of the first. */
async function refused(content: Content): Promise<{ rules: string[]; help: string; place: string }> {
  const { skills, diagnostics } = await run({ 'skills/a/SKILL.md': content })
  expect(skills).toEqual([])
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const [{ help, file, line, column } = { help: '', file: '', line: 0, column: 0 }] = errors
  expect(file).toBe('skills/a/SKILL.md')
  return { rules: [...new Set(errors.map(({ rule }) => rule))], help, place: `${line}:${column}` }
}

const fields = (yaml: string): string => `---\n${F}${yaml}\n---\n`

describe('A. fences and encoding', () => {
  test('1. a BOM is accepted, and its three bytes stay', async () => {
    const { skill } = await accepted(`\ufeff---\n${F}---\nB`)
    expect(skill.frontmatter).toEqual({ name: 'a', description: 'd' })
    expect([...skill.files[0]!.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  })

  test('3. CRLF is read as LF and kept', async () => {
    const { skill } = await accepted('---\r\nname: a\r\ndescription: |\r\n  x\r\n  y\r\n---\r\nB\r\n')
    expect(skill.frontmatter['description']).toBe('x\ny\n')
  })

  test('4. mixed line endings are too', async () => {
    const { skill } = await accepted(`---\r\n${F}---\nB\r\n`)
    expect(skill.frontmatter).toEqual({ name: 'a', description: 'd' })
  })

  test('5. CRLF that git may change is warned about, and hashed as it is', async () => {
    const root = tree({ 'skills/a/SKILL.md': `---\n${F}---\n`.replaceAll('\n', '\r\n') })
    execFileSync('git', ['init', '--quiet'], { cwd: root })
    const { skills, diagnostics } = await compile('skills/*', { root })
    expect(diagnostics.map(({ rule, help }) => [rule, help])).toEqual([
      ['line-endings', 'Write `* text=auto eol=lf` in `.gitattributes`, then run `git add --renormalize .`.'],
    ])
    expect(skills[0]!.files[0]!.size).toBe(35)
  })

  test('6. lone CRs are refused', async () => {
    expect(await refused('---\rname: a\rdescription: d\r---\rB')).toMatchObject({ rules: ['fence'] })
  })

  test('8. blanks after the closing fence are accepted', async () => {
    const { notes } = await accepted(`---\n${F}---  \nB`)
    expect(notes).toEqual([])
  })

  test.each([
    `\n---\n${F}---\n`,
    `<!-- x -->\n---\n${F}---\n`,
    `\`\`\`yaml\n---\n${F}---\n\`\`\`\n`,
    '# Title\n\ntext\n',
  ])('10. something before the fence is refused: %j', async (content) => {
    expect(await refused(content)).toMatchObject({ rules: ['fence'] })
  })

  test.each([`---\n${F}\nB`, `---\n${F}...\nB`])(
    '11. no closing fence, or dots, is refused: %j',
    async (content) => {
      expect(await refused(content)).toMatchObject({ rules: ['fence'] })
    },
  )

  test('12. `---` inside of values and of the body ends nothing', async () => {
    const { skill } = await accepted(
      '---\nname: a\ndescription: x --- y\n# ---z---\nmetadata:\n  n: |\n    p\n    ---\n    q\n---\nB\n\n---\n\nC',
    )
    expect(skill.frontmatter).toMatchObject({ description: 'x --- y', metadata: { n: 'p\n---\nq\n' } })
  })

  test('14. GBK and UTF-16 are refused', async () => {
    const gbk = Buffer.concat([
      Buffer.from('---\nname: a\ndescription: '),
      Buffer.from('d6d0cec4', 'hex'),
      Buffer.from('\n---\n'),
    ])
    expect(await refused(gbk)).toMatchObject({ rules: ['encoding'], place: '3:14' })
    expect(await refused(Buffer.from(`\ufeff---\n${F}---\n`, 'utf16le'))).toMatchObject({
      rules: ['encoding'],
    })
  })
})

describe('B. YAML that parsers read differently', () => {
  test('16. a date is sent as a text, and to be quoted', async () => {
    const { skill, notes } = await accepted(fields('metadata:\n  updated: 2025-10-20'))
    expect(skill.frontmatter['metadata']).toEqual({ updated: '2025-10-20' })
    expect(notes).toEqual(['warning portable-values'])
  })

  test('17. so are the words of YAML 1.1', async () => {
    const { skill, notes } = await accepted(fields('metadata:\n  a: yes\n  b: on\n  c: y'))
    expect(skill.frontmatter['metadata']).toEqual({ a: 'yes', b: 'on', c: 'y' })
    expect(notes).toEqual(Array(3).fill('warning portable-values'))
  })

  test('18. numbers with two readings are told', async () => {
    const yaml = 'a: 0755\nb: 12:30:45\nc: 1_000\nd: 0b11\ne: 1e3'
    const { skill, notes } = await accepted(fields(yaml))
    expect(skill.frontmatter).toMatchObject({ a: 755, b: '12:30:45', c: '1_000', d: '0b11', e: 1000 })
    expect(notes.filter((note) => note === 'warning portable-values')).toHaveLength(5)
    expect(await refused(fields('metadata:\n  a: 0755'))).toMatchObject({ rules: ['metadata'] })
  })

  test('19. a version that is a number loses its text', async () => {
    const { skill, notes } = await accepted(fields('version: 1.10'))
    expect(skill.frontmatter['version']).toBe(1.1)
    expect(notes).toContain('warning lossy-number')
  })

  test.each(['.nan', '.inf', '-.inf'])('21. %s is refused', async (number) => {
    expect(await refused(fields(`x: ${number}`))).toMatchObject({ rules: ['json-values'] })
  })

  test.each(['base: &b {x: 1}\nmetadata:\n  <<: *b', 'a: !!str 1', 'a: !foo b'])(
    '23. anchors, aliases, merges and tags are refused: %j',
    async (yaml) => {
      expect((await refused(fields(yaml))).rules).toContain('yaml-subset')
    },
  )

  test.each([
    ['24', '**Use when** x'],
    ['25', 'Use this when: x'],
    ['25', '@x'],
    ['25', '`x`'],
    ['25', '- x'],
    ['25', '%x'],
    ['25', '[a] [b]'],
  ])('%s. %s has to be quoted', async (_, text) => {
    const said = await refused(`---\nname: a\ndescription: ${text}\n---\n`)
    expect(said).toEqual({
      rules: ['yaml-syntax'],
      help: `Quote the value: description: "${text}"`,
      place: '3:14',
    })
  })

  test('26. a text that is cut is warned about', async () => {
    const { skill, notes } = await accepted('---\nname: a\ndescription: triage issue #1234 now\n---\n')
    expect(skill.frontmatter['description']).toBe('triage issue')
    expect(notes).toEqual(['warning cut-text'])
  })

  test.each([
    ["'one\n\n  two\n\n  '", 'one\ntwo\n'],
    ['"one\n  two"', 'one two'],
  ])(
    '27. quotes over several lines are refused, and read in full where that is allowed: %j',
    async (text, value) => {
      const content = `---\nname: a\ndescription: ${text}\n---\n`
      expect(await refused(content)).toMatchObject({ rules: ['yaml-subset'] })
      const { skills, diagnostics } = await compile('skills/*', {
        root: tree({ 'skills/a/SKILL.md': content }),
        strict: false,
      })
      expect(skills[0]?.frontmatter['description']).toBe(value)
      expect(diagnostics.map(({ severity, rule }) => [severity, rule])).toEqual([['warning', 'yaml-subset']])
    },
  )

  test('29. braces over several lines are refused', async () => {
    const yaml = 'metadata:\n  {\n    "openclaw": { "emoji": "x" },\n  }'
    expect((await refused(fields(yaml))).rules).toContain('yaml-subset')
  })

  test('30. surrogate escapes are told, and half of one is refused', async () => {
    const { skill, notes } = await accepted(fields('metadata: {"e": "\\ud83d\\udcb0"}'))
    expect(skill.frontmatter['metadata']).toEqual({ e: '💰' })
    expect(notes).toEqual(['warning portable-values'])
    expect(await refused(fields('metadata: {"e": "\\ud83d"}'))).toMatchObject({ rules: ['json-values'] })
  })

  test('33. `__proto__` is refused, other names of that kind are ordinary', async () => {
    expect(await refused(fields('metadata:\n  __proto__: x'))).toMatchObject({ rules: ['json-values'] })
    const { skill } = await accepted(fields('metadata:\n  constructor: y\n  toString: z'))
    expect(Object.keys(skill.frontmatter['metadata'] as object)).toEqual(['constructor', 'toString'])
  })

  test.each(['---\n---\nB', '---\n# c\n---\n', '---\n- a\n---\n', `---\n---\n${F}---\n`])(
    '35. frontmatter that is no mapping is refused: %j',
    async (content) => {
      expect(await refused(content)).toMatchObject({ rules: ['frontmatter-mapping'] })
    },
  )
})

describe('C. field rules', () => {
  test('36. a name that is a number has to be quoted', async () => {
    const bare = await run({ 'skills/8004/SKILL.md': '---\nname: 8004\ndescription: d\n---\n' })
    expect(bare.diagnostics.map(({ rule, help }) => [rule, help])).toEqual([
      ['name', 'Quote it: name: "8004"'],
    ])
    const quoted = await run({ 'skills/8004/SKILL.md': '---\nname: "8004"\ndescription: d\n---\n' })
    expect(quoted).toMatchObject({ diagnostics: [], skills: [{ path: '8004' }] })
    for (const yaml of ['name: null\ndescription: d', 'name:\ndescription: d', 'name: a\ndescription:']) {
      expect((await refused(`---\n${yaml}\n---\n`)).rules).toHaveLength(1)
    }
  })

  test('37. a name that is not the folder is refused, and both are named', async () => {
    const { skills, diagnostics } = await run({
      'skills/react-best-practices/SKILL.md': '---\nname: vercel-react-best-practices\ndescription: d\n---\n',
    })
    expect(skills).toEqual([])
    expect(diagnostics[0]!.message).toBe(
      '`name` is `vercel-react-best-practices`, but the folder is `react-best-practices`',
    )
  })

  test('37. it can be served at the path of its name, and stays as it is', async () => {
    const content = '---\nname: vercel-react-best-practices\ndescription: d\n---\n'
    const rename = { 'react-best-practices': 'vercel-react-best-practices' }
    const result = await run(
      { 'skills/react-best-practices/SKILL.md': content },
      { from: 'skills/*', rename },
    )
    expect(result.diagnostics).toEqual([])
    expect(result.skills[0]).toMatchObject({ uri: 'skill://vercel-react-best-practices/SKILL.md' })
    expect(Buffer.from(result.skills[0]!.files[0]!.bytes).toString()).toBe(content)
  })

  test.each(['My Skill', 'my_skill', 'a--b', '-a', 'a.b', 'contact-center/android', 'café', 'a'.repeat(65)])(
    '38. the name %s is refused',
    async (name) => {
      expect((await refused(`---\nname: ${name}\ndescription: d\n---\n`)).rules).toEqual(['name'])
    },
  )

  test('40. metadata that are not strings are refused, or warned about if not strict', async () => {
    const content = fields('metadata:\n  v: 2\n  tags: [x]\n  m: {k: v}\n  e:')
    expect(await refused(content)).toMatchObject({ rules: ['metadata'] })
    expect(await refused(fields('metadata:'))).toMatchObject({ rules: ['metadata'] })
    const { skills } = await compile('skills/*', {
      root: tree({ 'skills/a/SKILL.md': content }),
      strict: false,
    })
    expect(skills[0]?.frontmatter['metadata']).toEqual({ v: 2, tags: ['x'], m: { k: 'v' }, e: null })
  })

  test('41. `allowed-tools` and unknown fields pass through, with a note', async () => {
    const { skill, notes } = await accepted(
      fields('allowed-tools: [Read]\nargument-hint: x\nhooks: {a: [b]}'),
    )
    expect(skill.frontmatter).toMatchObject({
      'allowed-tools': ['Read'],
      'argument-hint': 'x',
      hooks: { a: ['b'] },
    })
    expect(new Set(notes)).toEqual(new Set(['info allowed-tools', 'info unknown-field']))
    const { notes: commas } = await accepted(fields('allowed-tools: Read, Bash(git:*)'))
    expect(commas).toEqual(['info allowed-tools'])
  })
})

describe('D. files and directories', () => {
  const A = { 'skills/a/SKILL.md': `---\n${F}---\n` }
  const paths = ({ skills }: CompileResult): string[] =>
    skills.flatMap((skill) => skill.files.map((file) => file.path))
  const said = ({ diagnostics }: CompileResult): string[] =>
    diagnostics.map(({ severity, rule, file }) => `${severity} ${rule} ${file}`)

  test('42. symlinks are never followed, and each is told', async () => {
    const result = await run({
      ...A,
      'skills/a/AGENTS.md': 'x',
      'skills/a/CLAUDE.md': { link: 'AGENTS.md' },
      'skills/a/passwd': { link: '/etc/passwd' },
      'skills/a/x': { link: '..' },
      'skills/b/SKILL.md': { link: '../a/SKILL.md' },
      'skills/c': { link: 'a' },
    })
    expect(paths(result)).toEqual(['SKILL.md', 'AGENTS.md'])
    expect(said(result)).toEqual([
      'warning symlink skills/a/CLAUDE.md',
      'warning symlink skills/a/passwd',
      'warning symlink skills/a/x',
      'error skill-md-missing skills/b',
      'warning symlink skills/b/SKILL.md',
      'warning symlink skills/c',
    ])
  })

  test('43. nested skills are entries of their own, and the outer one lists their files', async () => {
    const skill = (name: string): string => `---\nname: ${name}\ndescription: d\n---\n`
    const { skills } = await run(
      {
        'skills/outer/SKILL.md': skill('outer'),
        'skills/outer/inner/SKILL.md': skill('inner'),
        'skills/outer/inner/deep/SKILL.md': skill('deep'),
        'skills/outer/wrong/SKILL.md': skill('contact-center/android'),
      },
      'skills/**',
    )
    expect(skills.map(({ uri }) => uri)).toEqual([
      'skill://outer/SKILL.md',
      'skill://outer/inner/SKILL.md',
      'skill://outer/inner/deep/SKILL.md',
    ])
    expect(skills[0]!.files.map((file) => file.path)).toEqual([
      'SKILL.md',
      'inner/SKILL.md',
      'inner/deep/SKILL.md',
      'wrong/SKILL.md',
    ])
  })

  test('44. the case of SKILL.md counts', async () => {
    const lower = await run({ 'skills/a/skill.md': `---\n${F}---\n` })
    expect(lower.diagnostics[0]?.help).toBe(
      'Rename `skill.md` to `SKILL.md`: the case of its letters counts.',
    )
    const deep = await run({ ...A, 'skills/b/SKILL.MD': 'x' }, 'skills/**')
    expect(said(deep)).toEqual(['warning skill-md-case skills/b/SKILL.MD'])
    const both = await run({ ...A, 'skills/a/skill.md': 'x' })
    expect(said(both)).toEqual(['warning case-collision skills/a/skill.md'])
  })

  test('45. dot names are left out, unless a glob takes them in; a secret never ships by accident', async () => {
    const files = {
      ...A,
      'skills/a/_rels/.rels': '<x/>',
      'skills/a/.env.example': 'KEY=',
      'skills/a/.gitkeep': '',
      'skills/a/.DS_Store': 'x',
      'skills/a/.env': 'KEY=1',
      'skills/a/.git/config': 'x',
      'skills/a/node_modules/x/index.js': 'x',
    }
    const result = await run(files)
    expect(paths(result)).toEqual(['SKILL.md'])
    expect(
      said(result)
        .map((line) => line.split(' ').slice(0, 2).join(' '))
        .sort(),
    ).toEqual([
      ...Array(2).fill('info incidental-file'),
      ...Array(4).fill('warning dot-name'),
      'warning node-modules',
    ])
    const opted = await run(files, { from: 'skills/*', include: ['**/_rels/.rels', '**/.env.example'] })
    expect(paths(opted)).toEqual(['SKILL.md', '.env.example', '_rels/.rels'])
    const all = await run(files, { from: 'skills/*', include: ['**/.*'] })
    expect(said(all)).toContain('error secret skills/a/.env')
    expect(all.skills).toEqual([])
  })

  test('45. a link to what is left out is told', async () => {
    const result = await run({
      'skills/a/SKILL.md': `---\n${F}---\n[x](_rels/.rels)\n`,
      'skills/a/_rels/.rels': '',
    })
    expect(said(result)).toContain('warning left-out-link skills/a/SKILL.md')
  })

  test('47. more than a host must accept is warned about, and served', async () => {
    const many = Object.fromEntries(Array.from({ length: 512 }, (_, index) => [`skills/a/${index}`, 'x']))
    const result = await run({ ...A, ...many })
    expect(said(result)).toEqual(['warning limits skills/a'])
    expect(result.diagnostics[0]!.message).toMatch(/513 files/)
    expect(result.skills).toHaveLength(1)
  })

  test('48. odd names lead to their files', async () => {
    const names = {
      'references/構成要件.md': 'references/%E6%A7%8B%E6%88%90%E8%A6%81%E4%BB%B6.md',
      'x/shot at\u202f3.05 AM.png': 'x/shot%20at%E2%80%AF3.05%20AM.png',
      '[Content_Types].xml': '[Content_Types].xml',
      'app/[id]/page.tsx': 'app/[id]/page.tsx',
      "Let's Try.json": "Let's%20Try.json",
      'types/@o/i.d.ts': 'types/@o/i.d.ts',
      '# a.ini': '%23%20a.ini',
      '50% off.md': '50%25%20off.md',
      'a?b.md': 'a%3Fb.md',
      'q&a.md': 'q&a.md',
    }
    const files = Object.keys(names).map((name) => [`skills/a/${name}`, name])
    const { skills } = await run({ ...A, ...Object.fromEntries(files) })
    const uris = Object.fromEntries(skills[0]!.files.slice(1).map((file) => [file.path, file.uri]))
    expect(uris).toEqual(
      Object.fromEntries(Object.entries(names).map(([name, uri]) => [name, `skill://a/${uri}`])),
    )
  })

  test('51, 52. text that looks binary, binary that looks like text, and what is hostile to code', async () => {
    const contents: Record<string, Content> = {
      'nul.md': 'a\0b',
      'gbk.js': Buffer.from('d6d0cec4', 'hex'),
      'empty.txt': '',
      'emit.js': '`${process.env.X}` </script><!-- \u2028 \\ */ \r',
    }
    const files = Object.entries(contents).map(([name, content]) => [`skills/a/${name}`, content])
    const { skills } = await run({ ...A, ...Object.fromEntries(files) })
    const compiled = await importSkills(skills, 'inline')
    const [, ...rows] = JSON.parse(compiled.skills['skill://a/SKILL.md']!) as [unknown, ...unknown[][]]
    for (const [name, , size, sha256, group, slot] of rows as [
      string,
      string,
      number,
      string,
      number,
      string,
    ][]) {
      if (name === 'SKILL.md') continue
      const value = await (await compiled.load(group))[slot]!
      const bytes = Buffer.from(value, slot.startsWith('t') ? 'utf8' : 'base64')
      expect(bytes.equals(Buffer.from(contents[name] as string))).toBe(true)
      expect([size, sha256]).toEqual([bytes.length, createHash('sha256').update(bytes).digest('hex')])
    }
    const kinds = Object.fromEntries(skills[0]!.files.map((file) => [file.path, file.kind]))
    expect(kinds).toMatchObject({ 'gbk.js': 'blob', 'empty.txt': 'text', 'emit.js': 'text' })
  })

  test('51. a Git LFS pointer is warned about', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 1\n`
    expect(said(await run({ ...A, 'skills/a/x.png': pointer }))).toEqual([
      'warning lfs-pointer skills/a/x.png',
    ])
  })

  test('54. types are those of source code, and bytes decide what is text', async () => {
    const names = ['x.ts', 'Dockerfile', 'x.py', 'x.tsx', 'x.xsd', 'X.TXT']
    const { skills } = await run({
      ...A,
      ...Object.fromEntries(names.map((name) => [`skills/a/${name}`, 'x'])),
    })
    const types = skills[0]!.files.map(({ mimeType }) => mimeType)
    expect(types).not.toContain('video/mp2t')
    expect(new Set(skills[0]!.files.map(({ kind }) => kind))).toEqual(new Set(['text']))
  })

  test('55. links that lead to nothing, or out of the skill, are told with what they lead to', async () => {
    const body =
      '[a](../b/SKILL.md) [b](../../shared/y.md) [c](/abs.md) [d](scripts/missing.py) [e](https://x.y) [f](#z)'
    const files = {
      'skills/a/SKILL.md': `---\n${F}---\n${body}\n`,
      'skills/b/SKILL.md': '---\nname: b\ndescription: d\n---\n',
    }
    const { diagnostics } = await run(files)
    expect(diagnostics.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
      'outside-link: `../b/SKILL.md` leads out of the skill, to `skill://a/b/SKILL.md`, where nothing is served',
      'outside-link: `../../shared/y.md` leads out of the skill, to `skill://a/shared/y.md`, where nothing is served',
      'outside-link: `/abs.md` leads out of the skill, to `skill://a/abs.md`, where nothing is served',
      'broken-link: `scripts/missing.py` leads to nothing: the skill has no `scripts/missing.py`',
    ])
    expect(diagnostics[0]!.help).toMatch(/prefix/)
    const prefixed = await run(files, { from: 'skills/*', prefix: 'p' })
    expect(prefixed.diagnostics.map(({ message }) => message).join()).not.toContain('../b/SKILL.md')
  })

  test('56. two skills of one name are both kept, and told', async () => {
    const review = '---\nname: review\ndescription: d\n---\n'
    const result = await run(
      { 'skills/x/review/SKILL.md': review, 'skills/y/review/SKILL.md': `${review}B` },
      'skills/**',
    )
    expect(result.skills.map(({ path }) => path)).toEqual(['x/review', 'y/review'])
    expect(said(result)).toEqual(['warning same-name skills/y/review/SKILL.md'])
  })
})

test('the path of a temporary folder is in no result', async () => {
  const root = tree({ 'skills/a/SKILL.md': fields('metadata:\n  updated: 2025-10-20') })
  const { diagnostics, checked } = await compile('skills/*', { root })
  expect(JSON.stringify([diagnostics, checked])).not.toContain(path.basename(root))
})
