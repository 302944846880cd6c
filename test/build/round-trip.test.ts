import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CompiledSkills } from '@embed-skills/runtime'
import embedSkills from 'unplugin-embed-skills/vite'
import { build, createServer } from 'vite'
import type { InlineConfig, Rolldown } from 'vite'
import { describe, expect, test } from 'vitest'
import { differencesOf } from '../support/compare.ts'
import { hostileSkills } from '../support/hostile.ts'
import { importNatively, importSkills } from '../support/modules.ts'
import { temporaryFolder, writeTree } from '../support/tree.ts'

const { root, skills } = await hostileSkills(temporaryFolder('a (x)/[y] ü'))
writeTree(
  { 'package.json': '{"type":"module"}', 'entry.js': "export { default } from 'virtual:skills'\n" },
  root,
)
const ENTRY = path.join(root, 'entry.js')

/** Replaces what it can, as a project would. */
const define = {
  __DEFINED__: '"replaced"',
  'process.env.NODE_ENV': '"replaced"',
  'process.env': '{}',
  'globalThis.process': '{}',
  __dirname: '"replaced"',
}

/** The ways to build for production: as a library, for a server, and as an application for browsers. */
const TARGETS: Record<string, InlineConfig['build']> = {
  library: { lib: { entry: ENTRY, formats: ['es'] } },
  server: { ssr: ENTRY },
  application: { rolldownOptions: { input: ENTRY, preserveEntrySignatures: 'strict' } },
}

const cases = Object.keys(TARGETS).flatMap((target) =>
  (['inline', 'chunks'] as const).flatMap((content) =>
    [false, true].map((minify) => ({ target, content, minify })),
  ),
)

test('the fixture holds text, bytes and names of all kinds', () => {
  expect(skills.map(({ path }) => path)).toEqual(['hostile', 'hostile/constructor'])
  const kinds = skills[0]!.files.map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'text').length).toBeGreaterThan(300)
  expect(kinds.filter((kind) => kind === 'blob').length).toBeGreaterThan(8)
})

test.each(['inline', 'chunks'] as const)(
  'modules say what was compiled, without a bundler: %s',
  async (content) => {
    expect(await differencesOf(skills, await importSkills(skills, content))).toEqual([])
  },
)

describe('Vite gives back every byte and every entry', () => {
  test.each(cases)('built as $target, $content, minified: $minify', async ({ target, content, minify }) => {
    const outDir = temporaryFolder()
    const built = await build({
      root,
      configFile: false,
      logLevel: 'error',
      define,
      plugins: [embedSkills({ from: 'skills/**', content })],
      build: { ...TARGETS[target], outDir, minify, emptyOutDir: false },
    })
    const { output } = [built].flat()[0] as Rolldown.RolldownOutput
    expect(output.length > 1).toBe(content === 'chunks')
    writeTree({ 'package.json': '{"type":"module"}' }, outDir)
    const main = pathToFileURL(path.join(outDir, output[0].fileName)).href
    expect(await differencesOf(skills, importNatively(main))).toEqual([])
  })

  test('in the dev server, for SSR', async () => {
    const server = await createServer({
      root,
      configFile: false,
      logLevel: 'error',
      define,
      plugins: [embedSkills('skills/**')],
      server: { middlewareMode: true, ws: false, watch: null },
      optimizeDeps: { noDiscovery: true },
    })
    try {
      const { default: compiled } = (await server.ssrLoadModule('/entry.js')) as { default: CompiledSkills }
      expect(await differencesOf(skills, compiled)).toEqual([])
    } finally {
      await server.close()
    }
  })
})
