/** What people see of a broken skill, and of a set in a browser, in each bundler. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build as esbuild } from 'esbuild'
import embedInEsbuild from 'unplugin-embed-skills/esbuild'
import embedInVite from 'unplugin-embed-skills/vite'
import embedInWebpack from 'unplugin-embed-skills/webpack'
import { createLogger, build as vite } from 'vite'
import webpack from 'webpack'
import { BUILDERS } from './support/builders.ts'
import type { Project } from './support/project.ts'

let top: string
let broken: Project
let sound: Project

async function project(name: string, skillMd: string): Promise<Project> {
  const root = path.join(top, name)
  await mkdir(path.join(root, 'skills/a'), { recursive: true })
  await writeFile(path.join(root, 'skills/a/SKILL.md'), skillMd)
  await writeFile(path.join(root, 'entry.js'), "import skills from 'virtual:skills'\nconsole.log(skills)\n")
  return { root, globs: ['skills/*'], entry: path.join(root, 'entry.js') }
}

beforeAll(async () => {
  top = await mkdtemp(path.join(tmpdir(), 'embed-skills-messages-'))
  broken = await project('broken', '---\nname: other\ndescription: It is.\n---\n')
  sound = await project('sound', '---\nname: a\ndescription: It is.\n---\n')
})

afterAll(() => rm(top, { recursive: true, force: true }))

test.each(Object.keys(BUILDERS))('%s fails, and shows the place, the line and the help', async (bundler) => {
  const cell = { content: 'inline', minify: false, out: path.join(top, `out-${bundler}`) } as const
  const error = (await BUILDERS[bundler]!(broken, cell).then(
    () => undefined,
    (error: unknown) => error,
  )) as { message: string; frame?: string; stderr?: string; loc?: unknown; errors?: unknown[] } | undefined
  const shown = [
    error?.message,
    error?.frame,
    error?.stderr,
    JSON.stringify([error?.loc, error?.errors]),
  ].join('\n')
  expect(shown).toContain('`name` is `other`, but the folder is `a`')
  expect(shown).toContain('skills/a/SKILL.md')
  expect(shown).toContain('name: other')
  expect(shown).toContain('Rename the folder to `other`')
  expect(shown).toMatch(/SKILL\.md:2:[67]|"line":2,"column":6|"column":6.*"line":2/)
})

test('Vite warns that a set for browsers is public, and sums up in one line', async () => {
  const lines: string[] = []
  const customLogger = { ...createLogger('info'), info: take, warn: take, warnOnce: take }
  function take(line: string): void {
    lines.push(line)
  }
  await vite({
    root: sound.root,
    configFile: false,
    customLogger,
    plugins: [embedInVite('skills/*')],
    build: { rolldownOptions: { input: sound.entry }, outDir: path.join(top, 'out-client') },
  })
  expect(lines.filter((line) => line.includes('bundled for browsers'))).toHaveLength(1)
  expect(lines.filter((line) => /1 skill · 1 file · .* │ gzip .* │ chunks: /.test(line))).toHaveLength(1)
})

test('webpack warns of its default target, esbuild of browsers, and neither of a server', async () => {
  const inWebpack = async (target: string): Promise<string> => {
    const compiler = webpack({
      context: sound.root,
      entry: sound.entry,
      target,
      mode: 'development',
      infrastructureLogging: { level: 'none' },
      output: { path: path.join(top, `out-${target}`) },
      plugins: [embedInWebpack('skills/*')],
    })!
    const stats = await new Promise<string>((resolve, reject) => {
      compiler.run((error, stats) =>
        error ? reject(error) : resolve(stats!.toString({ all: false, warnings: true })),
      )
    })
    await new Promise((resolve) => compiler.close(resolve))
    return stats
  }
  expect(await inWebpack('web')).toContain('bundled for browsers')
  expect(await inWebpack('node')).not.toContain('browsers')

  const inEsbuild = async (platform: 'browser' | 'node'): Promise<string[]> => {
    const { warnings } = await esbuild({
      entryPoints: [sound.entry],
      absWorkingDir: sound.root,
      bundle: true,
      write: false,
      platform,
      logLevel: 'silent',
      plugins: [embedInEsbuild('skills/*')],
    })
    return warnings.map(({ text }) => text)
  }
  expect((await inEsbuild('browser')).join()).toContain('bundled for browsers')
  expect(await inEsbuild('node')).toEqual([])
})
