import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { embedSkills as stub } from '@embed-skills/runtime/macro'
import { rspack } from '@rspack/core'
import type { BuildOptions } from 'esbuild'
import { build as esbuild } from 'esbuild'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import forEsbuild from 'unplugin-embed-skills/esbuild'
import forRolldown from 'unplugin-embed-skills/rolldown'
import forRollup from 'unplugin-embed-skills/rollup'
import forRspack from 'unplugin-embed-skills/rspack'
import forWebpack from 'unplugin-embed-skills/webpack'
import embedSkills from 'unplugin-embed-skills/vite'
import type { InlineConfig } from 'vite'
import { build, createServer } from 'vite'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import webpack from 'webpack'
import { buildWithBun, buildWithFarm } from '../bundlers/support/builders.ts'
import { app, printed, run } from '../support/apps.ts'
import { saved } from '../support/eventually.ts'
import { pack } from '../support/pack.ts'
import { compiled, MARKED_APP } from '../support/marked.ts'

const MAIN = `import { embedSkills as macro } from '@embed-skills/runtime/macro'
import { served } from '../served.js'
const skills = macro('../skills/**')
console.log(await served(skills))
`
const APP = {
  ...MARKED_APP,
  'src (a)/main.js': MAIN,
  'src (a)/main.ts': MAIN.replace(
    'const skills = ',
    'type Unused = { of: "types" }\n\nconst skills: import("@embed-skills/runtime").CompiledSkills = ',
  ),
}
// Farm knows no await at the top of a module.
const NO_AWAIT = APP['src (a)/main.ts'].replace(
  'console.log(await served(skills))',
  'served(skills).then((all: string) => console.log(all))',
)

function config(root: string, main = 'src (a)/main.ts'): InlineConfig {
  return { root, logLevel: 'silent', configFile: false, plugins: [embedSkills()], build: { ssr: main } }
}

test('Vite compiles a call in TypeScript, and the proof covers it', async () => {
  const root = await app(APP)
  await build(config(root))
  expect(await printed(root)).toEqual(await compiled(root))
})

test('Rollup compiles a call', async () => {
  const root = await app(APP)
  vi.spyOn(process, 'cwd').mockReturnValue(root)
  const bundle = await rollup({
    input: path.join(root, 'src (a)/main.js'),
    external: /^@embed-skills\/runtime$/,
    plugins: [forRollup()],
  })
  vi.restoreAllMocks()
  await bundle.write({ dir: path.join(root, 'dist') })
  expect(await printed(root)).toEqual(await compiled(root))
})

test('Rolldown compiles a call in TypeScript as it is', async () => {
  const root = await app(APP)
  const bundle = await rolldown({
    cwd: root,
    input: 'src (a)/main.ts',
    platform: 'node',
    plugins: [forRolldown()],
  })
  await bundle.write({ dir: path.join(root, 'dist') })
  expect(await printed(root)).toEqual(await compiled(root))
})

test('esbuild compiles a call where it is asked to', async () => {
  const root = await app(APP)
  const options: BuildOptions = {
    absWorkingDir: root,
    entryPoints: ['src (a)/main.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    splitting: true,
    outdir: 'dist',
    logLevel: 'silent',
  }
  await esbuild({ ...options, plugins: [forEsbuild()] })
  expect(await printed(root)).toEqual(await compiled(root))
  await esbuild({ ...options, plugins: [forEsbuild({ from: 'skills/other', macro: true })] })
  expect(await printed(root)).toEqual(await compiled(root))
  await esbuild({ ...options, plugins: [forEsbuild('skills/other')] })
  expect((await run(root, process.execPath, 'dist/main.js')).output).toContain('was not compiled')
})

test('webpack compiles a call', async () => {
  const root = await app(APP)
  await pack(webpack, root, [forWebpack()], './src (a)/main.js')
  expect(await printed(root)).toEqual(await compiled(root))
})

test('Rspack compiles a call', async () => {
  const root = await app(APP)
  await pack(rspack, root, [forRspack()], './src (a)/main.js')
  expect(await printed(root)).toEqual(await compiled(root))
})

test.each([
  ['webpack', webpack, forWebpack],
  ['Rspack', rspack, forRspack],
] as const)('%s shows where a call cannot be compiled', async (_, bundler, plugin) => {
  const root = await app({ ...APP, 'src (a)/main.js': MAIN.replace("'../skills/**'", 'globs') })
  await expect(pack(bundler, root, [plugin()], './src (a)/main.js')).rejects.toThrow(
    /main\.js:3:22: embedSkills\(\) is compiled/,
  )
})

test.each([
  ['webpack', webpack, forWebpack],
  ['Rspack', rspack, forRspack],
] as const)(
  '%s takes a glob that leads out of its context, into the root that the plugin is given',
  async (_, bundler, plugin) => {
    const root = await app(APP)
    const context = path.join(root, 'src (a)')
    await pack(bundler, context, [plugin({ root, from: 'skills/*' })], './main.js')
    expect(await printed(context)).toEqual(await compiled(root))
  },
)

describe.each([
  ['Farm', buildWithFarm],
  ['Bun', buildWithBun],
] as const)('%s', (_, build) => {
  const setup = (root: string) => ({
    root,
    entry: path.join(root, 'src (a)/main.ts'),
    out: path.join(root, 'dist'),
  })

  test('compiles a call in TypeScript', async () => {
    const root = await app({ ...APP, 'src (a)/main.ts': NO_AWAIT })
    // Bun takes its root from where it runs.
    const options = build === buildWithBun ? { options: { root, from: 'skills/other', macro: true } } : {}
    expect(await printed(root, await build({ ...setup(root), ...options }))).toEqual(await compiled(root))
  })

  test('shows where a call cannot be compiled', async () => {
    const root = await app({ ...APP, 'src (a)/main.ts': NO_AWAIT.replace("'../skills/**'", 'globs') })
    await expect(build(setup(root))).rejects.toThrow(/main\.ts:\d+:70: embedSkills\(\) is compiled/)
  })
})

test('a dev server compiles a call, and follows the skills', async () => {
  const root = await app({
    ...APP,
    'main.ts':
      "import { embedSkills } from '@embed-skills/runtime/macro'\nexport default embedSkills('/skills/other')",
  })
  const server = await createServer({ ...config(root), server: { middlewareMode: true, ws: false } })
  onTestFinished(() => server.close())
  const load = async (): Promise<string> => {
    const { default: skills } = (await server.ssrLoadModule('/main.ts')) as { default: { skills: object } }
    return JSON.stringify(skills.skills)
  }
  expect(await load()).toContain('skill://other/SKILL.md')
  await saved(root, 'skills/other/fresh.md', 'fresh', async () => {
    expect(await load()).toContain('fresh.md')
  })
})

test('globs from the root are in embed-skills.d.ts', async () => {
  const root = await app({ ...APP, 'src (a)/main.ts': MAIN.replace('../skills/**', '/skills/other') })
  await build(config(root))
  const types = await readFile(path.join(root, 'embed-skills.d.ts'), 'utf8')
  expect(types).toContain('readonly "/skills/other": {\n    readonly other: {')
})

test('their types are those of the root that the plugin is given', async () => {
  const root = await app({ ...APP, 'src (a)/main.ts': MAIN.replace('../skills', '/skills') })
  const inner = path.join(root, 'src (a)')
  await build({ ...config(inner, 'main.ts'), plugins: [embedSkills({ root, from: 'skills/other' })] })
  expect(await readFile(path.join(inner, 'embed-skills.d.ts'), 'utf8')).toContain('readonly "/skills/**"')
})

test('their types follow the configuration file, as their contents do', async () => {
  const root = await app({
    ...APP,
    'src (a)/main.ts': MAIN.replace('../skills/**', '/skills/other'),
    'skills/other/plain.txt.eta': '<%= no template here %>',
    'embed-skills.config.json': '{ "templates": false }',
  })
  await build(config(root))
  expect(await readFile(path.join(root, 'embed-skills.d.ts'), 'utf8')).toContain('"plain.txt.eta"')
})

test('an error is shown where the author wrote it', async () => {
  const root = await app({
    ...APP,
    'src (a)/main.ts': APP['src (a)/main.ts'].replace("macro('../skills/**')", 'macro(globs)'),
  })
  const file = path.join(root, 'src (a)/main.ts')
  await expect(build(config(root))).rejects.toMatchObject({
    message: expect.stringContaining(`${file}:5:70: embedSkills() is compiled before anything runs`),
  })
  await expect(build(config(root))).rejects.toThrow('> 5 | const skills: import(')
})

test('what the call names and is not there fails the build', async () => {
  const root = await app({ ...APP, 'src (a)/main.ts': MAIN.replace('../skills/**', './skills/*') })
  await expect(build(config(root))).rejects.toThrow('`skills/*` matches no skill folder')
})

test('without the plugin the call says what to install', () => {
  expect(() => stub('./skills/*')).toThrow(
    'embedSkills("./skills/*") was not compiled, since no plugin did it. Install unplugin-embed-skills',
  )
})
