import { compile } from '@embed-skills/compiler'
import terser from '@rollup/plugin-terser'
import { rspack } from '@rspack/core'
import forEsbuild from 'unplugin-embed-skills/esbuild'
import forRollup from 'unplugin-embed-skills/rollup'
import forRspack from 'unplugin-embed-skills/rspack'
import embedSkills from 'unplugin-embed-skills/vite'
import forWebpack from 'unplugin-embed-skills/webpack'
import { describe, expect, test } from 'vitest'
import webpack from 'webpack'
import { app, printed } from '../support/apps.ts'
import { buildWithEsbuild, buildWithRollup, buildWithVite } from '../support/builds.ts'
import { MARKED_APP, MARKED_GLOBS } from '../support/marked.ts'
import { pack } from '../support/pack.ts'

/** An app that uses nothing of a set but names: a minifier may do away with all the rest. */
const NAMES = "import skills from 'virtual:skills'\nconsole.log(JSON.stringify(Object.keys(skills.skills)))\n"

describe.each(['inline', 'chunks'] as const)(
  'what a minifier does away with is not missing (%s)',
  (content) => {
    const options = { from: MARKED_GLOBS, content }
    const namesApp = (): Promise<string> => app({ ...MARKED_APP, 'main.js': NAMES })
    const names = async (root: string): Promise<string[]> =>
      (await compile(MARKED_GLOBS, { root })).skills.map(({ uri }) => uri)

    test.each([
      ['webpack and terser', webpack, forWebpack],
      ['Rspack and swc', rspack, forRspack],
    ] as const)('%s', async (_, bundler, forBundler) => {
      const root = await namesApp()
      await pack(bundler, root, [forBundler(options)])
      expect(await printed(root)).toEqual(await names(root))
    })

    test('Rollup and terser', async () => {
      const root = await namesApp()
      const minifier = (terser as unknown as typeof terser.default)({
        module: true,
        toplevel: true,
        compress: { passes: 3, unsafe: true },
      })
      await buildWithRollup(root, [forRollup({ ...options, root })], { plugins: [minifier] })
      expect(await printed(root)).toEqual(await names(root))
    })

    test('Vite and oxc', async () => {
      const root = await namesApp()
      await buildWithVite(root, [embedSkills(options)], true)
      expect(await printed(root)).toEqual(await names(root))
    })

    test('esbuild', async () => {
      const root = await namesApp()
      await buildWithEsbuild(root, [forEsbuild(options)], true)
      expect(await printed(root)).toEqual(await names(root))
    })
  },
)
