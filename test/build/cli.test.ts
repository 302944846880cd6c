import { once } from 'node:events'
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { addFiles, app, bin, cli, installRuntime, run, startCli, succeed } from '../support/apps.ts'
import { eventually } from '../support/eventually.ts'
import { writeHostileTree } from '../support/hostile-tree.ts'
import { compiled, MARKED_APP } from '../support/marked.ts'

const GLOBS = ['skills/**', 'deep/**']

const MAIN = `import skills from './skills.ts'
import { served } from './served.js'
console.log(await served(skills))
`
const APP = {
  ...MARKED_APP,
  'main.ts': MAIN,
  'main.js': MAIN.replace('skills.ts', 'skills.js'),
}

async function build(out: string, ...options: string[]): Promise<string> {
  const root = await app(APP)
  await writeHostileTree(root)
  await succeed(cli(root, 'build', ...GLOBS, '--out', out, ...options))
  return root
}

const ways = [
  ['inline', 'utf8'],
  ['chunks', 'utf8'],
  ['inline', 'base64'],
  ['chunks', 'base64'],
] as const

describe.each(ways)('%s in %s', (content, encoding) => {
  const options = ['--content', content, '--encoding', encoding]

  test('Node runs the TypeScript module as it is', async () => {
    const root = await build('skills.ts', ...options)
    const output = await succeed(
      run(root, process.execPath, '--disable-warning=ExperimentalWarning', 'main.ts'),
    )
    expect(JSON.parse(output)).toEqual(await compiled(root, GLOBS))
  })

  test('Node runs the JavaScript module', async () => {
    const root = await build('skills.js', ...options)
    const output = await succeed(run(root, process.execPath, 'main.js'))
    expect(JSON.parse(output)).toEqual(await compiled(root, GLOBS))
  })

  test('Deno runs and type-checks the TypeScript module', async () => {
    const root = await build('skills.ts', ...options)
    await installRuntime(root)
    const output = await succeed(
      run(root, bin('deno'), 'run', '--check', '--quiet', '--node-modules-dir=manual', 'main.ts'),
    )
    expect(JSON.parse(output)).toEqual(await compiled(root, GLOBS))
  })

  test('tsc compiles it, and Node runs what it wrote', async () => {
    const root = await build('skills.ts', ...options)
    await addFiles(root, {
      'main.ts': MAIN.replace('skills.ts', 'skills.js'),
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          module: 'NodeNext',
          target: 'ES2022',
          lib: ['ES2023', 'DOM'],
          types: ['node'],
          strict: true,
          // Carries the chunks along, which are JavaScript.
          allowJs: true,
          outDir: 'dist',
          rootDir: '.',
        },
        include: ['*.ts'],
      }),
    })
    await succeed(run(root, bin('tsc'), '-p', '.'))
    const ran = await succeed(run(root, process.execPath, 'dist/main.js'))
    expect(JSON.parse(ran)).toEqual(await compiled(root, GLOBS))
  })

  test.each(['plain', 'minified'])('esbuild bundles it (%s)', async (how) => {
    const root = await build('skills.ts', ...options)
    const minify = how === 'minified' ? ['--minify'] : []
    const args = ['--bundle', '--format=esm', '--splitting', '--outdir=dist', ...minify]
    await succeed(run(root, bin('esbuild'), 'main.ts', ...args))
    const ran = await succeed(run(root, process.execPath, 'dist/main.js'))
    expect(JSON.parse(ran)).toEqual(await compiled(root, GLOBS))
  })
})

test('linters and formatters pass by what is written', async () => {
  // Away from this repository's own settings.
  const root = await app(APP, tmpdir())
  await cli(root, 'build', 'skills/**', '--out', 'src/skills.ts', '--content', 'chunks')
  await cli(root, 'build', 'skills/**', '--out', 'src/inline.ts', '--content', 'inline')
  await cli(root, 'build', 'skills/**', '--out', 'src/packed.js', '--content', 'pack')
  const tool = (name: string): string => path.join(import.meta.dirname, '../../node_modules/.bin', name)
  await addFiles(root, {
    'lint.json': '{ "categories": { "correctness": "error", "suspicious": "error", "style": "error" } }',
    'format.json': '{}',
  })
  await succeed(run(root, tool('oxlint'), '-c', 'lint.json', '--deny-warnings', '--no-ignore', 'src'))
  const before = await readFile(path.join(root, 'src/skills.ts'), 'utf8')
  await succeed(run(root, tool('oxfmt'), '-c', 'format.json', 'src'))
  expect(await readFile(path.join(root, 'src/skills.ts'), 'utf8')).toBe(before)
  await succeed(cli(root, 'build', 'skills/**', '--out', 'src/skills.ts', '--content', 'chunks', '--check'))
})

test('a file is rewritten only where it differs, and files of an earlier build go', async () => {
  const root = await build('src/skills.ts', '--content', 'chunks')
  const again = (...more: string[]): ReturnType<typeof cli> =>
    cli(root, 'build', ...GLOBS, '--out', 'src/skills.ts', ...more)
  const file = path.join(root, 'src/skills.ts')
  const { ino, mtimeMs } = await stat(file)
  expect((await again('--content', 'chunks')).output).toContain('unchanged')
  expect(await stat(file)).toMatchObject({ ino, mtimeMs })

  await rm(path.join(root, 'skills/other'), { recursive: true })
  await writeFile(path.join(root, 'src/skills.chunks/mine.js'), 'export {}')
  await again('--content', 'chunks')
  const chunks = await readdir(path.join(root, 'src/skills.chunks'))
  expect(chunks).not.toContain('other.js')
  expect(chunks).toContain('mine.js')

  await rm(path.join(root, 'src/skills.chunks/mine.js'))
  await again('--content', 'pack')
  expect((await readdir(path.join(root, 'src'))).sort()).toEqual(['skills.bin', 'skills.ts'])
  await again('--content', 'inline')
  expect(await readdir(path.join(root, 'src'))).toEqual(['skills.ts'])
})

test('--check compares with the disk, names what is stale, and writes nothing', async () => {
  const root = await build('src/skills.ts', '--content', 'chunks')
  const check = (): ReturnType<typeof cli> =>
    cli(root, 'build', ...GLOBS, '--out', 'src/skills.ts', '--content', 'chunks', '--check')
  expect(await check()).toEqual({ code: 0, output: expect.stringContaining('src/skills.ts is up to date') })
  // As Git may have checked it out.
  const file = path.join(root, 'src/skills.ts')
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll('\n', '\r\n'))
  expect((await check()).code).toBe(0)

  await writeFile(path.join(root, 'skills/other/marks.md'), 'changed')
  const stale = await check()
  expect(stale.code).toBe(1)
  expect(stale.output).toContain('src/skills.chunks/other.js is stale')

  await cli(root, 'build', ...GLOBS, '--out', 'src/skills.ts', '--content', 'chunks')
  expect((await check()).code).toBe(0)
  await rm(path.join(root, 'src/skills.chunks/other.js'))
  expect((await check()).output).toContain('src/skills.chunks/other.js is missing')
})

test('a file that is not ours is left alone', async () => {
  const root = await app({ ...APP, 'src/server.ts': 'export {}' })
  const { code, output } = await cli(root, 'build', 'skills/**', '--out', 'src/server.ts')
  expect(code).toBe(1)
  expect(output).toContain('src/server.ts was not written by embed-skills')
  expect(await readFile(path.join(root, 'src/server.ts'), 'utf8')).toBe('export {}')
})

test('a module in the skill that it holds is refused, instead of growing with each build', async () => {
  const root = await app(APP)
  const again = (...more: string[]) => cli(root, 'build', 'skills/other', ...more)
  await succeed(again('--out', 'skills/other/skills.ts'))
  const { code, output } = await again('--out', 'skills/other/skills.ts')
  expect([code, output]).toEqual([1, expect.stringContaining('lies in the skill "other", which would hold')])
  await writeFile(path.join(root, 'embed-skills.config.json'), '{ "ignore": ["skills/other/skills.ts"] }')
  await succeed(again('--out', 'skills/other/skills.ts', '--check'))
})

test('what cannot be written is said in a line, and leaves nothing behind', async () => {
  const root = await app(APP)
  await mkdir(path.join(root, 'src/skills.ts'), { recursive: true })
  const { code, output } = await cli(root, 'build', 'skills/other', '--out', 'src/skills.ts')
  expect([code, output]).toEqual([2, expect.stringMatching(/^.*src\/skills\.ts.*\n$/)])
  expect(await readdir(path.join(root, 'src'))).toEqual(['skills.ts'])
})

test('a skill that is the root holds neither its lock nor its types', async () => {
  const root = await app(MARKED_APP)
  const skill = path.join(root, 'skills/other')
  for (const command of ['lock', 'types']) {
    await succeed(cli(skill, command, '.'))
    expect((await cli(skill, command, '.', '--check')).code).toBe(0)
  }
  expect((await cli(skill, 'lock', '.', '--check')).code).toBe(0)
})

test('a broken skill leaves the last module in place', async () => {
  const root = await build('src/skills.ts')
  const file = path.join(root, 'src/skills.ts')
  const before = await readFile(file, 'utf8')
  await writeFile(path.join(root, 'skills/other/SKILL.md'), '---\nname: another\n---\n')
  const { code, output } = await cli(root, 'build', ...GLOBS, '--out', 'src/skills.ts')
  expect(code).toBe(1)
  expect(output).toContain('skills/other/SKILL.md:2:7 error')
  expect(output).toContain('src/skills.ts is left as it was')
  expect(await readFile(file, 'utf8')).toBe(before)
})

test('--watch follows edits, new skills, renames and a skill that breaks and recovers', async () => {
  const root = await app({ ...APP })
  const options = ['--out', 'src/skills.ts', '--content', 'inline', '--watch']
  const { child, said } = startCli(root, 'build', 'skills/**', ...options)
  const until = async (text: string, isThere = true): Promise<void> => {
    await eventually(async () => {
      const written = await readFile(path.join(root, 'src/skills.ts'), 'utf8')
      if (written.includes(text) !== isThere) throw new Error(`Not yet. It said: ${said()}`)
    })
  }
  await until('"skill://other/SKILL.md"')
  await writeFile(path.join(root, 'skills/other/marks.md'), 'an edit')
  await until('"an edit"')
  await addFiles(root, {
    'skills/fresh/SKILL.md': '---\nname: fresh\ndescription: New\n---\nfirst\n',
    'skills/fresh/a/b.md': 'deep',
  })
  await until('"deep"')
  await writeFile(path.join(root, 'skills/fresh/a/b.md'), 'deeper')
  await until('"deeper"')
  await rename(path.join(root, 'skills/fresh/a'), path.join(root, 'skills/fresh/z'))
  await until('z/b.md')
  await writeFile(path.join(root, 'skills/fresh/SKILL.md'), '---\nname: stale\n---\n')
  await eventually(() => expect(said()).toContain('src/skills.ts is left as it was'))
  await writeFile(
    path.join(root, 'skills/fresh/SKILL.md'),
    '---\nname: fresh\ndescription: Back\n---\nsecond\n',
  )
  await until('second')
  await rm(path.join(root, 'skills/fresh'), { recursive: true })
  await until('skill://fresh/', false)
  await mkdir(path.join(root, 'elsewhere'))
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('a wrong command line says what is missing', async () => {
  const root = await app({ ...APP })
  for (const [args, message] of [
    [['build'], 'Say what to write'],
    [['build', '--out', 'x.ts'], 'Say where skills are'],
    [['build', 'skills/*'], 'Say what to write'],
    [['build', 'skills/*', '--out', 'x.json'], '--out ends in'],
    [['build', 'skills/*', '--out', 'x.d.ts'], '--out ends in'],
    [['build', 'skills/*', '--out', 'x.ts', '--content', 'gzip'], '--content is one of inline, chunks, pack'],
    [['build', 'skills/*', '--out', 'x.ts', '--watch', '--check'], 'leave --watch out'],
  ] as const) {
    const { code, output } = await cli(root, ...args)
    expect(code).toBe(2)
    expect(output).toContain(message)
  }
})
