import { readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { cloudflare } from '@cloudflare/vite-plugin'
import { compile } from '@embed-skills/compiler'
import replace from '@rollup/plugin-replace'
import { rspack } from '@rspack/core'
import type { Plugin as EsbuildPlugin } from 'esbuild'
import type { Plugin as RollupPlugin } from 'rollup'
import forEsbuild from 'unplugin-embed-skills/esbuild'
import forRollup from 'unplugin-embed-skills/rollup'
import forRspack from 'unplugin-embed-skills/rspack'
import forWebpack from 'unplugin-embed-skills/webpack'
import type { PluginOptions } from 'unplugin-embed-skills/vite'
import embedSkills from 'unplugin-embed-skills/vite'
import type { Plugin } from 'vite'
import { describe, expect, test } from 'vitest'
import webpack from 'webpack'
import { buildWithBun, buildWithFarm } from '../bundlers/support/builders.ts'
import { app, printed } from '../support/apps.ts'
import { buildEnvironments, buildWithEsbuild, buildWithRollup, buildWithVite } from '../support/builds.ts'
import { compiled, MARKED_APP, MARKED_GLOBS } from '../support/marked.ts'
import { pack, rewriting } from '../support/pack.ts'
import { expected } from '../support/serve.ts'

const APP = {
  ...MARKED_APP,
  'main.js': `import skills from 'virtual:skills'
import { served } from './served.js'
console.log(await served(skills))
`,
}

/** Builds with Vite; gives the folder. */
async function buildWith(
  options: Partial<PluginOptions>,
  plugins: Plugin[] = [],
  minify?: false | 'esbuild' | 'oxc',
): Promise<string> {
  const root = await app(APP)
  await buildWithVite(root, [embedSkills({ from: MARKED_GLOBS, ...options }), ...plugins], minify)
  return root
}

/** `@rollup/plugin-replace`, which works on chunks: it changes what stands in strings. */
function replacing(values: Record<string, string>): Plugin {
  // Its types are those of CommonJS.
  const plugin = replace as unknown as typeof replace.default
  return plugin({ values, preventAssignment: false, delimiters: ['', ''] }) as unknown as Plugin
}

const ways = (['inline', 'chunks'] as const).flatMap((content) =>
  (['utf8', 'base64'] as const).flatMap((encoding) =>
    ([false, 'esbuild', 'oxc'] as const).map((minify) => [content, encoding, minify] as const),
  ),
)

test.each(ways)(
  'a build that changes nothing passes, and gives what was compiled (%s, %s, minify: %s)',
  async (content, encoding, minify) => {
    const root = await buildWith({ content, encoding }, [], minify)
    expect(await printed(root)).toEqual(await compiled(root))
  },
)

describe.each(['inline', 'chunks'] as const)('X5: %s', (content) => {
  test.each([false, 'oxc'] as const)('a rewritten file fails the build (minify: %s)', async (minify) => {
    const plugin = replacing({ '{{version}}': '1.0.0' })
    await expect(buildWith({ content }, [plugin], minify)).rejects.toThrow(
      /marks\.md of the skill "hostile", in .*\n {4}compiled: ".*{{version}}.*\n {4}written: {2}".*1\.0\.0.*[^]*The plugin "replace"[^]*encoding: 'base64'/,
    )
  })

  test('a description that is rewritten inside an entry fails the build', async () => {
    const plugin = replacing({ 'Does inner': 'Does outer' })
    await expect(buildWith({ content }, [plugin])).rejects.toThrow(
      /The entry of the skill "hostile\/inner"[^\n]*\n {4}compiled: ".*Does inner[^\n]*\n {4}written: {2}".*Does outer/,
    )
  })

  test('base64 is the cure', async () => {
    const plugin = replacing({ '{{version}}': '1.0.0', 'Does inner': 'Does outer', 'text/markdown': 'x' })
    const root = await buildWith({ content, encoding: 'base64' }, [plugin])
    expect(await printed(root)).toEqual(await compiled(root))
  })

  test('verify: false ships it as it is', async () => {
    const root = await buildWith({ content, verify: false }, [replacing({ '{{version}}': '1.0.0' })])
    expect(await printed(root)).not.toEqual(await compiled(root))
  })
})

test('Rollup is held to it as well', async () => {
  const root = await app(APP)
  const bundle = (...plugins: RollupPlugin[]): Promise<void> =>
    buildWithRollup(root, [forRollup({ from: MARKED_GLOBS, root }), ...plugins])
  await bundle()
  expect(await printed(root)).toEqual(await compiled(root))
  await expect(bundle(replacing({ 'Does inner': 'Does outer' }) as unknown as RollupPlugin)).rejects.toThrow(
    /The entry of the skill "hostile\/inner"[^]*The plugin "replace" rewrites/,
  )
})

test('what a plugin changes as late as generateBundle is seen', async () => {
  const late: Plugin = {
    name: 'late',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk') file.code = file.code.replaceAll('Unicode', 'Latin-1')
      },
    },
  }
  await expect(buildWith({ content: 'inline' }, [late])).rejects.toThrow(/日本語\.md of the skill "hostile"/)
})

test('a set that is imported by halves holds half', async () => {
  const root = await app({
    ...APP,
    'main.js': `import skills from 'virtual:skills/other'
import { served } from './served.js'
console.log(await served(skills))
`,
  })
  const skills = embedSkills({ from: MARKED_GLOBS, content: 'inline' })
  await buildWithVite(root, [skills, replacing({ 'Does inner': 'x' })])
  const other = await compile(MARKED_GLOBS, { root })
  expect(await printed(root)).toEqual(expected(other.skills.filter(({ path }) => path === 'other')))
})

test('a pack that is not as it was fails the build', async () => {
  const root = await app({
    ...APP,
    'main.js': `import skills from 'virtual:skills'
import { served } from './served.js'
export default { fetch: async () => new Response(await served(skills)) }
`,
    'wrangler.json': JSON.stringify({ name: 'app', main: 'main.js', compatibility_date: '2026-10-01' }),
  })
  const spoil: Plugin = {
    name: 'spoil',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'asset' && file.fileName.endsWith('.bin')) file.source = new Uint8Array(3)
    },
  }
  const build = (...plugins: Plugin[]): Promise<void> =>
    buildEnvironments(root, [cloudflare(), embedSkills({ from: MARKED_GLOBS, content: 'pack' }), ...plugins])
  await build()
  const written = await readdir(path.join(root, 'dist'), { recursive: true })
  const bin = written.find((name) => name.endsWith('.bin'))
  expect((await readFile(path.join(root, 'dist', bin!))).length).toBeGreaterThan(1000)
  await expect(build(spoil)).rejects.toThrow(/The pack of \d+ skills: it is not in/)
})

describe.each([
  ['webpack', webpack, forWebpack],
  ['Rspack', rspack, forRspack],
] as const)('%s', (_, bundler, forBundler) => {
  /** Builds; `rewrite` changes what is written, as late as a plugin can. */
  async function buildWithPack(options: PluginOptions, rewrite?: (code: string) => string): Promise<string> {
    const root = await app(APP)
    await pack(bundler, root, [forBundler(options), ...(rewrite ? [rewriting(rewrite)] : [])])
    return root
  }

  test.each(['inline', 'chunks'] as const)('what is as it was compiled passes (%s)', async (content) => {
    const root = await buildWithPack({ from: MARKED_GLOBS, content })
    expect(await printed(root)).toEqual(await compiled(root))
  })

  test.each(['inline', 'chunks'] as const)('what is not fails the build (%s)', async (content) => {
    const rewrite = (code: string): string => code.replaceAll('Unicode', 'Latin-1')
    await expect(buildWithPack({ from: MARKED_GLOBS, content }, rewrite)).rejects.toThrow(
      /日本語\.md of the skill "hostile"/,
    )
    await buildWithPack({ from: MARKED_GLOBS, content, verify: false }, rewrite)
  })
})

describe('esbuild', () => {
  async function buildWith(
    options: PluginOptions,
    minify: boolean,
    ...spoil: EsbuildPlugin[]
  ): Promise<string> {
    const root = await app(APP)
    await buildWithEsbuild(root, [...spoil, forEsbuild(options)], minify)
    return root
  }

  const ways = (['inline', 'chunks'] as const).flatMap((content) => [
    [content, true] as const,
    [content, false] as const,
  ])

  test.each(ways)('what is as it was compiled passes (%s, minified: %s)', async (content, minify) => {
    const root = await buildWith({ from: MARKED_GLOBS, content }, minify)
    expect(await printed(root)).toEqual(await compiled(root))
  })

  test.each(ways)('what is not fails the build (%s, minified: %s)', async (content, minify) => {
    const spoil: EsbuildPlugin = {
      name: 'spoil',
      setup(build) {
        build.onEnd(async ({ metafile }) => {
          for (const name of Object.keys(metafile!.outputs)) {
            const file = path.join(build.initialOptions.absWorkingDir!, name)
            await writeFile(file, (await readFile(file, 'utf8')).replaceAll('Unicode', 'Latin-1'))
          }
        })
      },
    }
    await expect(buildWith({ from: MARKED_GLOBS, content }, minify, spoil)).rejects.toThrow(
      /日本語\.md of the skill "hostile"/,
    )
  })
})

describe.each([
  ['Farm', buildWithFarm],
  ['Bun', buildWithBun],
] as const)('%s', (_, build) => {
  /** Gives the file to run. `spoil` is what a plugin looks for in the chunks, and what it puts there. */
  async function buildApp(
    root: string,
    options: PluginOptions,
    minify: boolean,
    spoil?: readonly [string, string],
  ): Promise<string> {
    const entry = path.join(root, 'entry.js')
    const out = path.join(root, 'dist')
    return build({ root, entry, out, options, minify, ...(spoil && { spoil }) })
  }

  // Farm knows no await at the top of a module.
  const ENTRY = {
    ...APP,
    'entry.js': APP['main.js'].replace(
      'console.log(await served(skills))',
      'served(skills).then((all) => console.log(all))',
    ),
  }

  const ways = (['inline', 'chunks'] as const).flatMap((content) =>
    [true, false].map((minify) => [content, minify] as const),
  )

  test.each(ways)('what is as it was compiled passes (%s, minified: %s)', async (content, minify) => {
    const root = await app(ENTRY)
    const file = await buildApp(root, { from: MARKED_GLOBS, content }, minify)
    expect(await printed(root, file)).toEqual(await compiled(root))
  })

  test.each(ways)('a rewritten file fails the build (%s, minified: %s)', async (content, minify) => {
    const root = await app(ENTRY)
    const spoil = ['{{version}}', '1.0.0'] as const
    await expect(buildApp(root, { from: MARKED_GLOBS, content }, minify, spoil)).rejects.toThrow(
      /compiled: .*{{version}}.*\n +written: .*1\.0\.0[^]*encoding: 'base64'/,
    )
    await buildApp(root, { from: MARKED_GLOBS, content, verify: false }, minify, spoil)
    await buildApp(root, { from: MARKED_GLOBS, content, encoding: 'base64' }, minify, spoil)
  })

  test('a description that is rewritten inside an entry fails the build', async () => {
    const build = buildApp(await app(ENTRY), { from: MARKED_GLOBS, content: 'inline' }, true, [
      'Does inner',
      'Does outer',
    ])
    await expect(build).rejects.toThrow(/The entry of the skill "hostile\/inner"[^]*Does outer/)
  })
})
