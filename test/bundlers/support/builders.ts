import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rspack } from '@rspack/core'
import { build as esbuild } from 'esbuild'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import { build as vite } from 'vite'
import webpack from 'webpack'
import { RUNTIMES } from '../../support/runtimes.ts'
import type { Setup } from './configs.ts'
import {
  esbuildConfig,
  rolldownConfig,
  rollupConfig,
  rspackConfig,
  viteConfig,
  webpackConfig,
} from './configs.ts'
import type { Project } from './project.ts'

export interface Cell {
  readonly content: 'inline' | 'chunks'
  readonly minify: boolean
  /** Whether esbuild and Bun compile the macro. */
  readonly macro?: boolean
  /** Where the output goes. */
  readonly out: string
}

/** Builds the project's entry with one bundler; gives the file to run. */
export type Build = (project: Project, cell: Cell) => Promise<string>

const SETUPS: Readonly<Record<string, (setup: Setup) => Promise<string>>> = {
  async vite(setup) {
    await vite({ ...viteConfig(setup), logLevel: 'warn' })
    return path.join(setup.out, 'entry.js')
  },
  async rollup(setup) {
    const { output, ...input } = rollupConfig(setup)
    await (await rollup({ ...input, logLevel: 'silent' })).write(output)
    return path.join(setup.out, 'entry.js')
  },
  async rolldown(setup) {
    const { output, ...input } = rolldownConfig(setup)
    await (await rolldown({ ...input, logLevel: 'silent' })).write(output)
    return path.join(setup.out, 'entry.js')
  },
  async webpack(setup) {
    await runPack(webpack(webpackConfig(setup)))
    return path.join(setup.out, 'entry.mjs')
  },
  async rspack(setup) {
    await runPack(rspack(rspackConfig(setup)))
    return path.join(setup.out, 'entry.mjs')
  },
  async esbuild(setup) {
    await esbuild(esbuildConfig(setup))
    return path.join(setup.out, 'entry.mjs')
  },
  farm: buildWithFarm,
  bun: buildWithBun,
}

export const BUILDERS: Readonly<Record<string, Build>> = Object.fromEntries(
  Object.entries(SETUPS).map(([name, build]) => [
    name,
    ({ root, globs: from, entry }, { content, macro = false, ...more }) =>
      build({ root, entry, options: { from, content, macro }, ...more }),
  ]),
)

/** As much of a setup as is needed, and what a plugin is to rewrite in the chunks: this, and to what. */
type Spoiled = Pick<Setup, 'root' | 'entry' | 'out' | 'minify'> &
  Partial<Pick<Setup, 'options'>> & { readonly spoil?: readonly [string, string] }

export async function buildWithFarm(setup: Spoiled): Promise<string> {
  await runScript([process.execPath], 'farm-build.ts', setup)
  return path.join(
    setup.out,
    (await readdir(setup.out)).find((name) => /^entry.*\.m?js$/.test(name))!,
  )
}

export async function buildWithBun(setup: Spoiled): Promise<string> {
  await runScript(RUNTIMES.bun, 'bun-build.ts', setup)
  return path.join(setup.out, `${path.parse(setup.entry).name}.js`)
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
async function runScript(command: readonly string[], script: string, setup: object): Promise<void> {
  const file = fileURLToPath(new URL(script, import.meta.url))
  const [program, ...flags] = command
  await promisify(execFile)(program!, [...flags, file, JSON.stringify(setup)], { timeout: 120_000 })
}
