import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rspack } from '@rspack/core'
import type { Plugin } from 'esbuild'
import { context } from 'esbuild'
import { watch as rolldownWatch } from 'rolldown'
import { watch as rollupWatch } from 'rollup'
import { build as vite } from 'vite'
import webpack from 'webpack'
import type { Setup } from './configs.ts'
import {
  esbuildConfig,
  rolldownConfig,
  rollupConfig,
  rspackConfig,
  viteConfig,
  webpackConfig,
} from './configs.ts'
import { digestOf } from './project.ts'

export interface Watched extends Setup {
  /** Takes every message: errors, warnings and summaries. */
  readonly log: (message: string) => void
}

export interface Watching {
  /** What a runtime is to be started with. */
  readonly file: string
  /** How many builds have ended. */
  builds(): number
  /** How many of them have written something else than the one before. */
  outputs(): number
  stop(): Promise<unknown> | void
}

type Watch = (watched: Watched) => Promise<Watching>

export const WATCHERS: Readonly<Record<string, Watch>> = {
  async vite({ log, ...setup }) {
    const { build, ...config } = viteConfig(setup)
    const customLogger = { ...silent(log), hasErrorLogged: () => false }
    const watcher = await vite({ ...config, customLogger, build: { ...build, watch: {} } })
    if (!('on' in watcher)) throw new Error('Vite does not watch')
    return rollupLike(watcher, path.join(setup.out, 'entry.js'), log)
  },
  async rollup({ log, ...setup }) {
    const watcher = rollupWatch({ ...rollupConfig(setup), onLog: (_, { message }) => log(message) })
    return rollupLike(watcher, path.join(setup.out, 'entry.js'), log)
  },
  async rolldown({ log, ...setup }) {
    const watcher = rolldownWatch({ ...rolldownConfig(setup), onLog: (_, { message }) => log(message) })
    return rollupLike(watcher, path.join(setup.out, 'entry.js'), log)
  },
  webpack: async (watched) =>
    packLike(webpack({ ...webpackConfig(watched), infrastructureLogging: { level: 'info' } }), watched),
  rspack: async (watched) =>
    packLike(rspack({ ...rspackConfig(watched), infrastructureLogging: { level: 'info' } }), watched),
  async esbuild({ log, ...setup }) {
    const ends = countEnds(setup.out)
    const { plugins = [], ...config } = esbuildConfig(setup)
    const count: Plugin = {
      name: 'log',
      setup(build) {
        build.onEnd(({ errors, warnings }) => {
          for (const { text, notes } of [...errors, ...warnings])
            log([text, ...notes.map((note) => note.text)].join('\n'))
          ends.add()
        })
      },
    }
    const building = await context({ ...config, plugins: [...plugins, count] })
    await building.watch()
    return { file: path.join(setup.out, 'entry.mjs'), ...ends, stop: () => building.dispose() }
  },
  async farm({ log, ...setup }) {
    const ends = countEnds(setup.out)
    const script = fileURLToPath(new URL('farm-watch.ts', import.meta.url))
    const child = spawn(process.execPath, [script, JSON.stringify(setup)])
    const take = (data: Buffer): void => {
      const text = data.toString()
      if (text.includes('BUILT')) ends.add()
      log(text)
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    return {
      file: path.join(setup.out, 'entry.mjs'),
      ...ends,
      stop: () => void child.kill(),
    }
  },
}

/** Counts builds that end, and compares what each has written. */
function countEnds(out: string) {
  let builds = 0
  let outputs = 0
  let last = ''
  return {
    add() {
      builds++
      const files = [...filesIn(out)].map(([name, text]) => `${name} ${digestOf(text)}`).join('\n')
      if (files !== last) outputs++
      last = files
    },
    builds: () => builds,
    outputs: () => outputs,
  }
}

/** What is in a folder of output, by name. */
export function filesIn(folder: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map()
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  const files = names.filter((name) => statSync(path.join(folder, name)).isFile())
  return new Map(files.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]))
}

function silent(log: (message: string) => void) {
  return { info: log, warn: log, warnOnce: log, error: log, clearScreen: () => undefined, hasWarned: false }
}

interface RollupLike {
  on(event: 'event', listener: (event: RollupLikeEvent) => unknown): unknown
  close(): Promise<void> | void
}

interface RollupLikeEvent {
  readonly code: string
  readonly error?: { readonly message: string } | null
  readonly result?: { close(): Promise<void> } | null
}

function rollupLike(watcher: unknown, file: string, log: (message: string) => void): Watching {
  const ends = countEnds(path.dirname(file))
  const { on, close } = watcher as RollupLike
  on.call(watcher, 'event', async ({ code, error, result }) => {
    if (error) log(error.message)
    if (code === 'BUNDLE_END' || code === 'ERROR') {
      await result?.close()
      ends.add()
    }
  })
  return { file, ...ends, stop: () => close.call(watcher) }
}

interface Pack {
  watch(options: object, handler: (error: Error | null, stats?: PackStats) => void): Pick<Pack, 'close'>
  close(callback: () => void): void
  getInfrastructureLogger: unknown
}

interface PackStats {
  toString(options?: object): string
}

function packLike(compiler: unknown, { out, log }: Watched): Watching {
  const ends = countEnds(out)
  const pack = compiler as Pack
  pack.getInfrastructureLogger = () => ({ info: log, warn: log, error: log, debug: () => undefined })
  const watching = pack.watch({}, (error, stats) => {
    const said =
      error?.message ?? stats?.toString({ all: false, errors: true, warnings: true, colors: false })
    if (said) log(said)
    ends.add()
  })
  return {
    file: path.join(out, 'entry.mjs'),
    ...ends,
    stop: () => new Promise<void>((done) => watching.close(() => pack.close(done))),
  }
}
