/** How each bundler is told to build a project for Node, once or while it watches. */
import * as terserPlugin from '@rollup/plugin-terser'
import type { BuildOptions } from 'esbuild'
import type { InputOptions, OutputOptions as RolldownOutput } from 'rolldown'
import type { OutputOptions, RollupOptions } from 'rollup'
import embedInEsbuild from 'unplugin-embed-skills/esbuild'
import embedInRolldown from 'unplugin-embed-skills/rolldown'
import embedInRollup from 'unplugin-embed-skills/rollup'
import embedInRspack from 'unplugin-embed-skills/rspack'
import type { PluginOptions } from 'unplugin-embed-skills/vite'
import embedInVite from 'unplugin-embed-skills/vite'
import embedInWebpack from 'unplugin-embed-skills/webpack'
import type { InlineConfig } from 'vite'

export interface Setup {
  readonly root: string
  readonly entry: string
  /** Where the output goes. */
  readonly out: string
  readonly options: PluginOptions
  readonly minify?: boolean
}

// Its types say that it is CommonJS.
const terser = terserPlugin.default as unknown as typeof terserPlugin.default.default

export function viteConfig({ root, entry, out, options, minify = false }: Setup): InlineConfig {
  return {
    root,
    configFile: false,
    plugins: [embedInVite(options)],
    build: { ssr: entry, outDir: out, minify, emptyOutDir: false, target: 'es2022' },
  }
}

/** The options of Rollup's output are `output`. */
export function rollupConfig({
  root,
  entry,
  out,
  options,
  minify = false,
}: Setup): RollupOptions & { output: OutputOptions } {
  return {
    input: entry,
    plugins: [embedInRollup({ ...options, root })],
    output: { dir: out, format: 'es', plugins: minify ? [terser()] : [] },
  }
}

export function rolldownConfig({
  root,
  entry,
  out,
  options,
  minify = false,
}: Setup): InputOptions & { output: RolldownOutput } {
  return {
    input: entry,
    cwd: root,
    plugins: [embedInRolldown({ ...options, root })],
    output: { dir: out, format: 'es', minify },
  }
}

export function webpackConfig(setup: Setup) {
  return {
    ...packConfig(setup),
    experiments: { outputModule: true },
    plugins: [embedInWebpack(setup.options)],
  }
}

export function rspackConfig(setup: Setup) {
  return { ...packConfig(setup), plugins: [embedInRspack(setup.options)] }
}

function packConfig({ root, entry, out, minify = false }: Setup) {
  return {
    context: root,
    entry: { entry },
    mode: minify ? 'production' : 'development',
    // The devtool that writes modules as they are into `eval` is the hardest for their contents.
    devtool: minify ? false : 'eval',
    target: 'node20',
    infrastructureLogging: { level: 'warn' },
    output: {
      path: out,
      module: true,
      filename: '[name].mjs',
      chunkFormat: 'module',
      library: { type: 'module' },
    },
  } as const
}

export function esbuildConfig({ root, entry, out, options, minify = false }: Setup): BuildOptions {
  return {
    entryPoints: [entry],
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    splitting: options.content === 'chunks',
    minify,
    outdir: out,
    outExtension: { '.js': '.mjs' },
    plugins: [embedInEsbuild(options)],
    logLevel: 'silent',
  }
}
