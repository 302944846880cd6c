/**
 * Compiles skill folders in Vite: `virtual:skills`, `virtual:skills/<path>` and `./some/SKILL.md?skill`, in
 * dev, build and SSR, and in a Worker through `@cloudflare/vite-plugin`.
 *
 * @example
 * // vite.config.ts
 * import embedSkills from 'unplugin-embed-skills/vite'
 * import { defineConfig } from 'vite'
 *
 * export default defineConfig({ plugins: [embedSkills('skills/*')] })
 *
 * @module
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Environment, Plugin } from 'vite'
import type { Target } from './content.ts'
import type { EmbedSkillsOptions } from './options.ts'
import { load, resolveId, summarize, watcherOf } from './rollup-like.ts'
import { Session } from './session.ts'
import { createGivenModules } from './vite-hot.ts'

export { vendorSkills } from '@embed-skills/compiler'
export type { EmbedSkillsOptions, PluginOptions } from './options.ts'

/**
 * Compiles skill folders into `virtual:skills`, with all of them, and `virtual:skills/<path>`, with one.
 * An error in a skill fails the build; all of them are reported together.
 *
 * @param options A glob of skill folders, or several, or `{ from, ...options }`.
 * @throws TypeError for options of another shape.
 *
 * @example
 * embedSkills('skills/*')
 * @example
 * embedSkills({ from: ['skills/**', '!skills/drafts'], prefix: 'acme', rules: { limits: 'error' } })
 */
export default function embedSkills(options: EmbedSkillsOptions): Plugin {
  const session = new Session(options)
  const given = createGivenModules(session)
  /** A folder added by `addWatchFile` would break the import analysis of a dev server. */
  let watchInDev: ((files: string[]) => void) | undefined
  return {
    name: 'embed-skills',
    configResolved({ root, logLevel }) {
      session.root = root
      session.quiet = logLevel !== undefined && logLevel !== 'info'
    },
    async configureServer({ watcher, environments }) {
      watchInDev = (files) => watcher.add(files.map(nearest))
      const { watch } = await session.main.compile()
      watchInDev([...watch.files, ...watch.directories, ...watch.missing])
      // Vite tells nobody of folders, but an empty one is served, and may be what is wrong.
      const onFolder = async (folder: string): Promise<void> => {
        if (!session.concerns(folder)) return
        session.invalidate([folder])
        for (const environment of Object.values(environments))
          for (const module of await given.stale(environment)) await environment.reloadModule(module)
      }
      for (const event of ['addDir', 'unlinkDir'] as const)
        watcher.on(event, (folder: string) => void onFolder(folder))
    },
    resolveId: {
      order: 'pre',
      filter: { id: session.requests },
      handler(id, importer) {
        return resolveId(session, this, id, importer)
      },
    },
    load: {
      filter: { id: session.ids },
      async handler(id) {
        const { environment } = this
        const target = targetOf(environment)
        if (!target.dev)
          return { code: await load(session, this, id, target, watcherOf(this)), moduleType: 'js', map: null }
        const code = await load(session, this, id, target, watchInDev).catch((error: unknown) => {
          given.note(environment, id)
          throw error
        })
        given.note(environment, id, code)
        await summarize(session, (line) => log(environment, line))
        return { code, moduleType: 'js', map: null }
      },
    },
    // Before `hotUpdate`, and in a build that watches.
    watchChange(file) {
      session.invalidate([file])
    },
    hotUpdate: {
      order: 'pre',
      async handler({ file, modules }) {
        if (!session.concerns(file)) return
        return [...new Set([...modules, ...(await given.stale(this.environment))])]
      },
    },
    async buildEnd(error) {
      if (!error) await summarize(session, (line) => log(this.environment, line))
    },
  }
}

/** The path, or the nearest folder above it that exists: what is missing cannot be watched. */
function nearest(file: string): string {
  return existsSync(file) || file === path.dirname(file) ? file : nearest(path.dirname(file))
}

function log({ logger }: Environment, line: string): void {
  logger.info(`[embed-skills] ${line}`)
}

function targetOf(environment: Environment): Target {
  const { mode, config, name } = environment
  const isWorkerd = config.resolve.conditions.includes('workerd')
  const dev = mode === 'dev'
  return {
    dev,
    runtime: isWorkerd ? 'workerd' : config.consumer === 'client' ? 'browser' : 'server',
    // What runs elsewhere, as a Worker does in workerd, is told no more of an error than its message.
    messageOnly: dev && name !== 'client' && !('runner' in environment),
  }
}
