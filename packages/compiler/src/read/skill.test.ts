import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { compile } from '../compile.ts'
import { Link, broken, compileTree, lines, skillMd, tree } from '../testing/tree.ts'
import type { Tree } from '../testing/tree.ts'
import type { SkillFile } from '../types.ts'

async function filesOf(files: Tree): Promise<Map<string, SkillFile>> {
  const below = Object.entries(files).map(([name, content]) => [`skills/a/${name}`, content])
  const result = await compileTree(
    { 'skills/a/SKILL.md': skillMd('a'), ...Object.fromEntries(below) },
    'skills/*',
    {
      rules: { 'portable-name': 'off' },
    },
  )
  expect(lines(result)).toEqual([])
  return new Map(result.skills[0]!.files.map((file) => [file.path, file]))
}

test('SKILL.md is first, the rest in byte order of URIs, not of names', async () => {
  const files = await filesOf({
    'b.md': '',
    'C.md': '',
    'é.md': '',
    '~.md': '',
    'a/b': '',
    'a.md': '',
    'Z/x': '',
  })
  expect([...files.keys()]).toEqual(['SKILL.md', 'é.md', 'C.md', 'Z/x', 'a.md', 'a/b', 'b.md', '~.md'])
})

test('odd names are spelled as WHATWG URLs spell them, and lead back to the file', async () => {
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
    '%2e%2e': '%252e%252e',
    __proto__: '__proto__',
  }
  const files = await filesOf(Object.fromEntries(Object.keys(names).map((name) => [name, name])))
  for (const [name, spelled] of Object.entries(names)) {
    const file = files.get(name)
    expect(file?.uri).toBe(`skill://a/${spelled}`)
    expect(decodeURIComponent(new URL(file!.uri).pathname)).toBe(`/${name}`)
    expect(Buffer.from(file!.bytes).toString()).toBe(name)
  }
})

test('bytes are those on the disk, and the digest is theirs', async () => {
  const contents = {
    empty: '',
    nul: 'a\0b',
    'crlf.md': '\uFEFFa\r\nb\rc\n',
    'gbk.js': Uint8Array.of(0xd6, 0xd0, 0xce, 0xc4),
    'half.txt': Uint8Array.of(0xed, 0xa0, 0x80),
    'emit.js': '`${process.env.X}` </script><!-- \u2028\u2029 \\ */ \r',
    'all.bin': Uint8Array.from({ length: 256 }, (_, byte) => byte),
    'one.md': '%',
  }
  const files = await filesOf(contents)
  for (const [name, content] of Object.entries(contents)) {
    const bytes = Buffer.from(content as string)
    const file = files.get(name)!
    expect(Buffer.compare(file.bytes, bytes)).toBe(0)
    expect(file.size).toBe(bytes.length)
    expect(file.digest).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`)
  }
  expect(files.get('empty')?.digest).toMatch(/^sha256:e3b0c442.*b855$/)
  const kinds = Object.keys(contents).map((name) => [name, files.get(name)?.kind])
  expect(Object.fromEntries(kinds)).toEqual({
    empty: 'text',
    nul: 'blob',
    'crlf.md': 'text',
    'gbk.js': 'blob',
    'half.txt': 'blob',
    'emit.js': 'text',
    'all.bin': 'blob',
    'one.md': 'text',
  })
})

test('the skill around a nested one holds its files, which are read once', async () => {
  const result = await compileTree(
    {
      'skills/outer/SKILL.md': skillMd('outer'),
      'skills/outer/inner/SKILL.md': skillMd('inner'),
      'skills/outer/inner/deep/SKILL.md': skillMd('deep'),
      'skills/outer/inner/deep/x.md': 'x',
    },
    'skills/**',
  )
  expect(lines(result)).toEqual([])
  expect(result.skills.map((skill) => [skill.uri, skill.files.map((file) => file.path)])).toEqual([
    ['skill://outer/SKILL.md', ['SKILL.md', 'inner/SKILL.md', 'inner/deep/SKILL.md', 'inner/deep/x.md']],
    ['skill://outer/inner/SKILL.md', ['SKILL.md', 'deep/SKILL.md', 'deep/x.md']],
    ['skill://outer/inner/deep/SKILL.md', ['SKILL.md', 'x.md']],
  ])
  const [outer, , deep] = result.skills
  expect(outer?.files[3]?.uri).toBe(deep?.files[1]?.uri)
  expect(outer?.files[3]?.bytes).toBe(deep?.files[1]?.bytes)
})

test('a faulty nested skill does not take the one around it along', async () => {
  const files = { 'skills/outer/SKILL.md': skillMd('outer'), 'skills/outer/inner/SKILL.md': 'No fence.' }
  const result = await compileTree(files, 'skills/**')
  expect(result.skills.map((skill) => skill.path)).toEqual(['outer'])
  expect(lines(result)).toEqual(['skills/outer/inner/SKILL.md:1:1 error fence: SKILL.md has no frontmatter'])
})

test('what is left out of a nested skill is said once, of the innermost', async () => {
  const files = {
    'skills/outer/SKILL.md': skillMd('outer'),
    'skills/outer/inner/SKILL.md': skillMd('inner'),
    'skills/outer/inner/.env': '',
  }
  const { diagnostics } = await compileTree(files, 'skills/**')
  expect(diagnostics.map(({ file, skill }) => [file, skill])).toEqual([
    ['skills/outer/inner/.env', 'outer/inner'],
  ])
})

test('dot names, links, node_modules and pipes are left out with all beneath, and said', async () => {
  const root = tree({
    'skills/a/SKILL.md': skillMd('a'),
    'skills/a/_rels/.rels': '<x/>',
    'skills/a/.git/config': 'x',
    'skills/a/.DS_Store': 'x',
    'skills/a/node_modules/x/SKILL.md': skillMd('x'),
    'skills/a/CLAUDE.md': new Link('SKILL.md'),
    'skills/a/passwd': new Link('/etc/passwd'),
    'skills/a/references': new Link('../b'),
    'skills/b/SKILL.md': skillMd('b'),
  })
  execFileSync('mkfifo', [`${root}/skills/a/pipe`])
  const result = await compile('skills/*', { root })
  expect(result.skills[0]?.files.map((file) => file.path)).toEqual(['SKILL.md'])
  expect(result.skills[0]?.emptyDirectories).toEqual(['_rels'])
  expect(result.diagnostics.map(({ file, severity, rule }) => `${file} ${severity} ${rule}`)).toEqual([
    'skills/a/.DS_Store info incidental-file',
    'skills/a/.git warning dot-name',
    'skills/a/CLAUDE.md warning symlink',
    'skills/a/_rels/.rels warning dot-name',
    'skills/a/node_modules warning node-modules',
    'skills/a/passwd warning symlink',
    'skills/a/pipe warning special-file',
    'skills/a/references warning symlink',
  ])
})

test('a SKILL.md that is a link is none', async () => {
  const files = { 'x.md': skillMd('a'), 'skills/a/SKILL.md': new Link('../../x.md') }
  const result = await compileTree(files)
  expect(broken(result)).toEqual(['skill-md-missing', 'symlink'])
  expect(result.skills).toEqual([])
})

test('folders that hold nothing are known', async () => {
  const result = await compileTree({
    'skills/a/SKILL.md': skillMd('a'),
    'skills/a/out/': '',
    'skills/a/b/c/': '',
    'skills/a/b/d/.gitkeep': '',
    'skills/a/é/': '',
  })
  expect(result.skills[0]?.emptyDirectories).toEqual(['é', 'b/c', 'b/d', 'out'])
  expect(broken(result)).toEqual(['incidental-file'])
})

test('names that no URI can say, or not to every host, are errors', async () => {
  for (const name of ['a\\b.md', 'a\nb.md', 'a\u0007.md', 'a\u0085.md', 'tab\t/x.md']) {
    const result = await compileTree({ 'skills/a/SKILL.md': skillMd('a'), [`skills/a/${name}`]: '' })
    expect(broken(result)).toEqual(['file-name'])
    expect(result.skills).toEqual([])
  }
})

test('a name that is not UTF-8 on the disk is an error', async (context) => {
  const root = tree({ 'skills/a/SKILL.md': skillMd('a') })
  const file = Buffer.concat([Buffer.from(`${root}/skills/a/`), Buffer.from([0xe9, 0x2e, 0x6d, 0x64])])
  try {
    fs.writeFileSync(file, '')
  } catch {
    return context.skip('this file system refuses such names')
  }
  const result = await compile('skills/*', { root })
  expect(broken(result)).toEqual(['file-name'])
})
