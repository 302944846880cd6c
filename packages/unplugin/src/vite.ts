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
import { nearestFolder } from '@embed-skills/compiler'
import type { Environment, Plugin, Rollup } from 'vite'
import { claimId } from './claim.ts'
import type { Target } from './content.ts'
import type { EmbedSkillsOptions } from './options.ts'
import { proofPlugin } from './proof.ts'
import type { Watch } from './rollup-like.ts'
import { load, macroPlugin, resolveHook, summarize, watcherOf } from './rollup-like.ts'
import { Session } from './session.ts'
import { createGiven } from './vite-hot.ts'
import { typesPlugin } from './vite-types.ts'

export { vendorSkills } from '@embed-skills/compiler'
export type { EmbedSkillsOptions, PluginOptions } from './options.ts'

/**
 * Compiles skill folders into `virtual:skills`, with all of them, and `virtual:skills/<path>`, with one.
 * An error in a skill fails the build; all of them are reported together.
 *
 * @param options A glob of skill folders, or several, or `{ from, ...options }`; nothing where a
 *   configuration file says it, or for the macro alone.
 * @throws TypeError for options of another shape.
 *
 * @example
 * embedSkills('skills/*')
 * @example
 * embedSkills({ from: ['skills/**', '!skills/drafts'], prefix: 'acme', rules: { limits: 'error' } })
 */
export default function embedSkills(options?: EmbedSkillsOptions): Plugin[] {
  const session = new Session(options)
  const types = typesPlugin(session)
  const { globs: seen } = types.api!.embedSkills
  // Without `enforce`, so that it gets what others have made of TypeScript, Vue and Svelte: JavaScript.
  const macro: Plugin = macroPlugin(session, ({ globs }) => {
    for (const glob of globs) seen.add(glob)
  })
  const plugins: Plugin[] = [setPlugin(session), macro, types]
  return session.options.verify ? [...plugins, provePlugin(session)] : plugins
}

/** Builds alone: a dev server writes no bundle. */
function provePlugin(session: Session): Plugin {
  return proofPlugin<Rollup.PluginContext>(({ environment }) => session.expected(targetOf(environment)))
}

/** Resolves, loads and watches the modules of all sets. */
function setPlugin(session: Session): Plugin {
  const given = createGiven(session)
  // By environment, since frameworks give one plugin to several servers.
  const watches = new WeakMap<Environment, Watch>()
  return {
    name: 'embed-skills',
    configResolved(config) {
      const { root, logLevel } = config
      claimId(config, session)
      session.root = root
      session.quiet = logLevel !== undefined && logLevel !== 'info'
    },
    async configureServer({ watcher, environments }) {
      // A folder added by `addWatchFile` would break the import analysis of a dev server.
      const watch: Watch = ({ files, directories, missing }) =>
        void watcher.add([...files, ...directories, ...missing.map(nearestFolder)])
      for (const environment of Object.values(environments)) watches.set(environment, watch)
      // Nobody may have asked for the set yet, or be able to, and what is mended has to be seen all the same.
      const compilation = await (await session.main())?.compile()
      if (compilation) watch(compilation.watch)
      const refresh = async (changed?: readonly string[]): Promise<void> => {
        session.invalidate(changed)
        for (const environment of Object.values(environments))
          for (const module of await given.staleModules(environment)) await environment.reloadModule(module)
      }
      // Vite tells nobody of folders, but an empty one is served, and may be what is wrong.
      for (const event of ['addDir', 'unlinkDir'] as const)
        watcher.on(event, (folder: string) => void (session.concerns(folder) && refresh([folder])))
      // Of what is saved before the watcher has seen all files once, it tells nobody.
      watcher.once('ready', () => void refresh())
    },
    resolveId: resolveHook(session),
    load: {
      filter: { id: session.ids },
      async handler(id) {
        const target = targetOf(this.environment)
        if (target.dev) given.remember(this.environment, id)
        const code = await load(
          session,
          this,
          id,
          target,
          target.dev ? watches.get(this.environment) : watcherOf(this),
        )
        if (target.dev) given.remember(this.environment, id, code)
        if (target.dev) await summarize(session, (line) => log(this.environment, line))
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
        return [...new Set([...modules, ...(await given.staleModules(this.environment))])]
      },
    },
    async buildEnd(error) {
      if (!error) await summarize(session, (line) => log(this.environment, line))
    },
  }
}

function log({ logger }: Environment, line: string): void {
  logger.info(`[embed-skills] ${line}`)
}

function targetOf(environment: Environment): Target {
  const { mode, config } = environment
  const isWorkerd = config.resolve.conditions.includes('workerd')
  return {
    dev: mode === 'dev',
    // Vite itself takes them for assets.
    binary: isWorkerd && config.plugins.some(({ name }) => name.startsWith('vite-plugin-cloudflare')),
    runtime: isWorkerd ? 'workerd' : config.consumer === 'client' ? 'browser' : 'server',
    messageOnly: keepsMessageOnly(environment),
  }
}

/** What runs elsewhere, as a Worker does in workerd, is told no more of an error than its message. */
function keepsMessageOnly(environment: Environment): boolean {
  return environment.mode === 'dev' && environment.name !== 'client' && !('runner' in environment)
}
