/** Several plugins in one build: ids tell their sets apart, and where they do not, nothing is left out silently. */
import path from 'node:path'
import { rspack } from '@rspack/core'
import { build as esbuild } from 'esbuild'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import forEsbuild from 'unplugin-embed-skills/esbuild'
import forRolldown from 'unplugin-embed-skills/rolldown'
import forRollup from 'unplugin-embed-skills/rollup'
import forRspack from 'unplugin-embed-skills/rspack'
import forVite from 'unplugin-embed-skills/vite'
import forWebpack from 'unplugin-embed-skills/webpack'
import { build as vite } from 'vite'
import { expect, test } from 'vitest'
import webpack from 'webpack'
import { pack } from '../support/pack.ts'
import { skillMd, writeTree } from '../support/tree.ts'

const BUILDS: Readonly<Record<string, (root: string) => Promise<unknown>>> = {
  vite: (root) =>
    vite({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [forVite('a/*'), forVite('b/*')],
      build: { ssr: 'main.js' },
    }),
  rollup: (root) =>
    rollup({ input: path.join(root, 'main.js'), plugins: twice((from) => forRollup({ root, from })) }),
  rolldown: async (root) =>
    (
      await rolldown({ cwd: root, input: 'main.js', plugins: twice((from) => forRolldown({ root, from })) })
    ).generate(),
  webpack: (root) => pack(webpack, root, twice(forWebpack)),
  rspack: (root) => pack(rspack, root, twice(forRspack)),
  esbuild: (root) =>
    esbuild({
      absWorkingDir: root,
      entryPoints: ['main.js'],
      bundle: true,
      logLevel: 'silent',
      plugins: twice(forEsbuild),
    }),
}

function twice<T>(plugin: (from: string) => T): T[] {
  return [plugin('a/*'), plugin('b/*')]
}

test.each(Object.entries(BUILDS))('%s refuses two sets of one id', async (_, build) => {
  const root = writeTree({
    'a/one/SKILL.md': skillMd('one'),
    'b/two/SKILL.md': skillMd('two'),
    'main.js': "import skills from 'virtual:skills'\nconsole.log(skills)\n",
  })
  await expect(build(root)).rejects.toThrow('two plugins have the id "virtual:skills"')
})
