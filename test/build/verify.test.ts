import { readFile, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { addFiles, app, bin, cli, run, succeed } from '../support/apps.ts'
import { MARKED, MARKED_GLOBS } from '../support/marked.ts'

const APP = {
  ...MARKED,
  'package.json': '{ "type": "module" }',
  'main.ts': "import skills from './skills.ts'\nconsole.log(skills)\n",
}

/** Builds with the CLI and esbuild, minified, into `dist`. */
async function bundled(...options: string[]): Promise<string> {
  const root = await app(APP)
  await succeed(cli(root, 'build', ...MARKED_GLOBS, '--out', 'skills.ts', ...options))
  const args = [
    'main.ts',
    '--bundle',
    '--format=esm',
    '--splitting',
    '--minify',
    '--outdir=dist',
    '--loader:.bin=copy',
  ]
  await succeed(run(root, bin('esbuild'), ...args))
  return root
}

/** Changes all that was written, as text. */
async function rewrite(root: string, from: string, to: string): Promise<void> {
  for (const name of await readdir(path.join(root, 'dist'))) {
    const file = path.join(root, 'dist', name)
    const text = await readFile(file, 'latin1')
    await writeFile(file, text.replaceAll(from, to), 'latin1')
  }
}

const ways = [
  ['inline', 'utf8'],
  ['chunks', 'utf8'],
  ['pack', 'utf8'],
  ['inline', 'base64'],
  ['chunks', 'base64'],
  ['pack', 'base64'],
] as const

test.each(ways)('a bundle that is as it was compiled passes (%s, %s)', async (content, encoding) => {
  const root = await bundled('--content', content, '--encoding', encoding)
  expect(await cli(root, 'verify', 'dist')).toEqual({
    code: 0,
    output: '6 skills, 19 distinct files: all as their entries say\n',
  })
})

test.each(['inline', 'chunks', 'pack'])('a file whose text was rewritten is named (%s)', async (content) => {
  const root = await bundled('--content', content)
  await rewrite(root, 'only-inn', 'only-INN')
  await rewrite(root, 'a name', 'A name')
  const { code, output } = await cli(root, 'verify', 'dist')
  expect(code).toBe(1)
  expect(output).toContain('skill://hostile/__proto__.md: no content in the bundle has its digest')
})

test('X5: a description that was rewritten in an entry is named', async () => {
  const root = await bundled('--content', 'inline')
  await rewrite(root, '"description":"Does inner', '"description":"Does outer')
  const { code, output } = await cli(root, 'verify', 'dist')
  expect(code).toBe(1)
  expect(output).toBe(
    `skill://hostile/inner/SKILL.md: the frontmatter of its entry in ${path.join('dist', 'main.js')} is not that of its SKILL.md\n`,
  )
})

test('an entry that is none any more, and a chunk that is gone, are named', async () => {
  const root = await bundled('--content', 'chunks')
  await rewrite(root, '[{"name":"inner"', '[{"name":inner"')
  const chunks = await readdir(path.join(root, 'dist'))
  await rm(
    path.join(
      root,
      'dist',
      chunks.find((name) => name.startsWith('other'))!,
    ),
  )
  const { output } = await cli(root, 'verify', 'dist')
  expect(output).toContain(
    `skill://hostile/inner/SKILL.md: its entry in ${path.join('dist', 'main.js')} is damaged`,
  )
  expect(output).toContain('skill://other/SKILL.md: no content in the bundle has its digest')
})

test('files without skills are no success', async () => {
  const root = await app({ 'dist/main.js': 'console.log(1)' })
  expect(await cli(root, 'verify', 'dist')).toEqual({
    code: 1,
    output: 'There are no compiled skills in these files.\n',
  })
  expect((await cli(root, 'verify', 'nothing')).code).toBe(2)
})

test('a bundle is compared with the lock of the project, where there is one', async () => {
  const root = await bundled('--content', 'inline')
  await succeed(cli(root, 'lock', ...MARKED_GLOBS))
  expect(await cli(root, 'verify', 'dist')).toEqual({
    code: 0,
    output: '6 skills, 19 distinct files: all as their entries and skills.lock.json say\n',
  })

  const lock = JSON.parse(await readFile(path.join(root, 'skills.lock.json'), 'utf8'))
  const [other, hostile] = [lock.skills.other, lock.skills.hostile]
  delete lock.skills.other
  const digest = `sha256:${'0'.repeat(64)}`
  lock.skills.hostile = { ...hostile, 'SKILL.md': digest, 'gone.md': digest }
  lock.skills.absent = other
  await addFiles(root, { 'skills.lock.json': JSON.stringify(lock) })
  const { code, output } = await cli(root, 'verify', 'dist')
  expect(code).toBe(1)
  expect(output.trim().split('\n').sort()).toEqual([
    'Locked, and not in these files: absent',
    `skill://hostile/SKILL.md: the bundle has ${hostile['SKILL.md']}, the lock ${digest}`,
    'skill://hostile/gone.md: it is in the lock and not in the bundle',
    'skill://other/SKILL.md: the lock has no such skill',
  ])
  expect((await cli(root, 'verify', 'dist', '--ignore-unlocked')).output).not.toContain('skill://other')
  expect((await cli(root, 'verify', 'dist', '--no-lock')).code).toBe(0)
})

test('a lock of another name is the one of --lock, or of the configuration', async () => {
  const root = await bundled('--content', 'pack')
  await succeed(cli(root, 'lock', ...MARKED_GLOBS, '--file', 'mine.json'))
  const said = 'all as their entries and mine.json say'
  expect((await cli(root, 'verify', 'dist')).output).not.toContain('mine.json')
  expect((await cli(root, 'verify', 'dist', '--lock', 'mine.json')).output).toContain(said)
  await addFiles(root, { 'embed-skills.config.json': '{ "lock": "mine.json" }' })
  expect((await cli(root, 'verify', 'dist')).output).toContain(said)
  for (const options of [
    ['--lock', 'none.json'],
    ['--lock', 'mine.json', '--no-lock'],
    ['--format', 'xml'],
  ])
    expect((await cli(root, 'verify', 'dist', ...options)).code).toBe(2)
})

test('--format json says the same to programs', async () => {
  const root = await bundled('--content', 'chunks')
  const json = async (): Promise<Record<string, unknown>> =>
    JSON.parse((await cli(root, 'verify', 'dist', '--format', 'json')).output) as Record<string, unknown>
  const fine = await json()
  expect(fine).toMatchObject({ problems: [], lock: null, absent: [] })
  expect(fine['skills']).toHaveLength(6)
  expect(fine['skills']).toContainEqual({
    uri: 'skill://other/SKILL.md',
    path: 'other',
    files: expect.objectContaining({ 'SKILL.md': expect.stringMatching(/^sha256:/) }),
  })
  await rewrite(root, '"description":"Does inner', '"description":"Does outer')
  expect((await json())['problems']).toEqual([
    {
      skill: 'skill://hostile/inner/SKILL.md',
      field: 'frontmatter',
      message: expect.stringContaining('is not that of its SKILL.md'),
    },
  ])
})
