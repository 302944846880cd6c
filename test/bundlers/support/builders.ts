import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rspack } from '@rspack/core'
import * as terserPlugin from '@rollup/plugin-terser'
import { build as esbuild } from 'esbuild'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import embedInEsbuild from 'unplugin-embed-skills/esbuild'
import embedInRolldown from 'unplugin-embed-skills/rolldown'
import embedInRollup from 'unplugin-embed-skills/rollup'
import embedInRspack from 'unplugin-embed-skills/rspack'
import embedInVite from 'unplugin-embed-skills/vite'
import embedInWebpack from 'unplugin-embed-skills/webpack'
import { build as vite } from 'vite'
import webpack from 'webpack'
import { RUNTIMES } from '../../support/runtimes.ts'
import type { Project } from './project.ts'

export interface Cell {
  readonly content: 'inline' | 'chunks'
  readonly minify: boolean
  /** Where the output goes. */
  readonly out: string
}

// Its types say that it is CommonJS.
const terser = terserPlugin.default as unknown as typeof terserPlugin.default.default

/** Builds the project's entry with one bundler; gives the file to run. */
export type Build = (project: Project, cell: Cell) => Promise<string>

export const BUILDERS: Readonly<Record<string, Build>> = {
  async vite({ root, globs, entry }, { content, minify, out }) {
    await vite({
      root,
      configFile: false,
      logLevel: 'warn',
      plugins: [embedInVite({ from: globs, content })],
      build: { ssr: entry, outDir: out, minify, emptyOutDir: false, target: 'es2022' },
    })
    return path.join(out, 'entry.js')
  },
  async rollup({ root, globs, entry }, { content, minify, out }) {
    const bundle = await rollup({
      input: entry,
      plugins: [embedInRollup({ from: globs, root, content })],
      logLevel: 'silent',
    })
    await bundle.write({ dir: out, format: 'es', plugins: minify ? [terser()] : [] })
    return path.join(out, 'entry.js')
  },
  async rolldown({ root, globs, entry }, { content, minify, out }) {
    const bundle = await rolldown({
      input: entry,
      cwd: root,
      plugins: [embedInRolldown({ from: globs, root, content })],
      logLevel: 'silent',
    })
    await bundle.write({ dir: out, format: 'es', minify })
    return path.join(out, 'entry.js')
  },
  async webpack({ root, globs, entry }, { content, minify, out }) {
    const compiler = webpack({
      ...packConfig(root, entry, out, minify),
      experiments: { outputModule: true },
      plugins: [embedInWebpack({ from: globs, content })],
    })!
    await runPack(compiler)
    return path.join(out, 'entry.mjs')
  },
  async rspack({ root, globs, entry }, { content, minify, out }) {
    const compiler = rspack({
      ...packConfig(root, entry, out, minify),
      plugins: [embedInRspack({ from: globs, content })],
    })
    await runPack(compiler)
    return path.join(out, 'entry.mjs')
  },
  async esbuild({ root, globs, entry }, { content, minify, out }) {
    await esbuild({
      entryPoints: [entry],
      absWorkingDir: root,
      bundle: true,
      format: 'esm',
      platform: 'node',
      splitting: content === 'chunks',
      minify,
      outdir: out,
      outExtension: { '.js': '.mjs' },
      plugins: [embedInEsbuild({ from: globs, content })],
      logLevel: 'silent',
    })
    return path.join(out, 'entry.mjs')
  },
  async farm({ root, globs, entry }, cell) {
    await runScript([process.execPath], 'farm-build.ts', { root, globs, entry, ...cell })
    const file = (await readdir(cell.out)).find((name) => /^entry.*\.(?:js|mjs)$/.test(name))
    return path.join(cell.out, file!)
  },
  async bun({ root, globs, entry }, cell) {
    await runScript(RUNTIMES.bun, 'bun-build.ts', { root, globs, entry, ...cell })
    return path.join(cell.out, 'entry.js')
  },
}

function packConfig(root: string, entry: string, out: string, minify: boolean) {
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

interface Pack {
  run(callback: (error: Error | null, stats?: PackStats) => void): void
  close(callback: (error?: Error | null) => void): void
}

interface PackStats {
  hasErrors(): boolean
  toString(options?: object): string
}

async function runPack(compiler: unknown): Promise<void> {
  const pack = compiler as Pack
  const stats = await new Promise<PackStats>((resolve, reject) => {
    pack.run((error, stats) => (error ? reject(error) : resolve(stats!)))
  })
  await new Promise<void>((resolve, reject) => {
    pack.close((error) => (error ? reject(error) : resolve()))
  })
  if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }))
}

/** Bun builds inside of itself, and Farm ends the process when it pleases. */
export async function runScript(
  command: readonly string[],
  script: string,
  options: object,
): Promise<string> {
  const file = fileURLToPath(new URL(script, import.meta.url))
  const [program, ...flags] = command
  const { stdout, stderr } = await promisify(execFile)(program!, [...flags, file, JSON.stringify(options)], {
    timeout: 120_000,
  })
  return stdout + stderr
}
