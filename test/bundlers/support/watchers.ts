import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rspack } from '@rspack/core'
import { context } from 'esbuild'
import { watch as rolldownWatch } from 'rolldown'
import { watch as rollupWatch } from 'rollup'
import embedInEsbuild from 'unplugin-embed-skills/esbuild'
import embedInRolldown from 'unplugin-embed-skills/rolldown'
import embedInRollup from 'unplugin-embed-skills/rollup'
import embedInRspack from 'unplugin-embed-skills/rspack'
import embedInVite from 'unplugin-embed-skills/vite'
import embedInWebpack from 'unplugin-embed-skills/webpack'
import { build as vite } from 'vite'
import webpack from 'webpack'

export interface Watched {
  readonly root: string
  readonly entry: string
  readonly out: string
  /** Takes every message: errors, warnings and summaries. */
  readonly log: (message: string) => void
}

export interface Watching {
  /** What a runtime is to be started with. */
  readonly file: string
  /** How many builds have ended. */
  builds(): number
  stop(): Promise<unknown> | void
}

type Watch = (watched: Watched) => Promise<Watching>

const FROM = { from: 'skills/**', content: 'chunks' } as const

export const WATCHERS: Readonly<Record<string, Watch>> = {
  async vite({ root, entry, out, log }) {
    const watcher = await vite({
      root,
      configFile: false,
      customLogger: { ...silent(log), hasErrorLogged: () => false },
      plugins: [embedInVite(FROM)],
      build: { ssr: entry, outDir: out, watch: {}, emptyOutDir: false, minify: false },
    })
    if (!('on' in watcher)) throw new Error('Vite does not watch')
    return rollupLike(watcher, path.join(out, 'entry.js'), log)
  },
  async rollup({ root, entry, out, log }) {
    const watcher = rollupWatch({
      input: entry,
      output: { dir: out, format: 'es' },
      plugins: [embedInRollup({ ...FROM, root })],
      onLog: (_, { message }) => log(message),
    })
    return rollupLike(watcher, path.join(out, 'entry.js'), log)
  },
  async rolldown({ root, entry, out, log }) {
    const watcher = rolldownWatch({
      input: entry,
      cwd: root,
      output: { dir: out, format: 'es' },
      plugins: [embedInRolldown({ ...FROM, root })],
      onLog: (_, { message }) => log(message),
    })
    return rollupLike(watcher, path.join(out, 'entry.js'), log)
  },
  async webpack(watched) {
    const compiler = webpack({
      ...packConfig(watched),
      experiments: { outputModule: true },
      plugins: [embedInWebpack(FROM)],
    })!
    return packLike(compiler, watched)
  },
  async rspack(watched) {
    const compiler = rspack({ ...packConfig(watched), plugins: [embedInRspack(FROM)] })
    return packLike(compiler, watched)
  },
  async esbuild({ root, entry, out, log }) {
    let builds = 0
    const building = await context({
      entryPoints: [entry],
      absWorkingDir: root,
      bundle: true,
      format: 'esm',
      platform: 'node',
      splitting: true,
      outdir: out,
      logLevel: 'silent',
      plugins: [
        embedInEsbuild(FROM),
        {
          name: 'log',
          setup(build) {
            build.onEnd(({ errors, warnings }) => {
              for (const { text, notes } of [...errors, ...warnings])
                log([text, ...notes.map((note) => note.text)].join('\n'))
              builds++
            })
          },
        },
      ],
    })
    await building.watch()
    return { file: path.join(out, 'entry.js'), builds: () => builds, stop: () => building.dispose() }
  },
  async farm({ root, entry, out, log }) {
    let builds = 0
    const script = fileURLToPath(new URL('farm-watch.ts', import.meta.url))
    const child = spawn(process.execPath, [script, JSON.stringify({ root, entry, out })])
    const take = (data: Buffer): void => {
      const text = data.toString()
      builds += text.split('BUILT').length - 1
      log(text)
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    return {
      file: path.join(out, 'entry.mjs'),
      builds: () => builds,
      stop: () => void child.kill(),
    }
  },
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
  let builds = 0
  const { on, close } = watcher as RollupLike
  on.call(watcher, 'event', async ({ code, error, result }) => {
    if (error) log(error.message)
    if (code === 'BUNDLE_END' || code === 'ERROR') {
      await result?.close()
      builds++
    }
  })
  return { file, builds: () => builds, stop: () => close.call(watcher) }
}

function packConfig({ root, entry, out }: Watched) {
  return {
    context: root,
    entry: { entry },
    mode: 'development',
    devtool: false,
    target: 'node20',
    infrastructureLogging: { level: 'info' },
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
  watch(options: object, handler: (error: Error | null, stats?: PackStats) => void): Pick<Pack, 'close'>
  close(callback: () => void): void
  getInfrastructureLogger: unknown
}

interface PackStats {
  toString(options?: object): string
}

function packLike(compiler: unknown, { out, log }: Watched): Watching {
  let builds = 0
  const pack = compiler as Pack
  pack.getInfrastructureLogger = () => ({ info: log, warn: log, error: log, debug: () => undefined })
  const watching = pack.watch({}, (error, stats) => {
    const said =
      error?.message ?? stats?.toString({ all: false, errors: true, warnings: true, colors: false })
    if (said) log(said)
    builds++
  })
  return {
    file: path.join(out, 'entry.mjs'),
    builds: () => builds,
    stop: () => new Promise<void>((done) => watching.close(() => pack.close(done))),
  }
}
