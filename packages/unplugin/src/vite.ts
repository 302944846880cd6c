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
import type { Environment, EnvironmentModuleNode, Plugin, Rollup } from 'vite'
import type { Target } from './content.ts'
import { MACRO_CODE, transform } from './macro/rollup-like.ts'
import type { EmbedSkillsOptions } from './options.ts'
import { proofPlugin } from './proof.ts'
import { load, resolveId, summarize, watcherOf } from './rollup-like.ts'
import { Session } from './session.ts'
import { createHotChanges } from './vite-hot.ts'
import type { TypesApi } from './vite-types.ts'
import { typesPlugin } from './vite-types.ts'

export { vendorSkills } from '@embed-skills/compiler'
export type { EmbedSkillsOptions, PluginOptions } from './options.ts'

/**
 * @param options Where skills are; nothing for the macro alone.
 * @throws TypeError for options of another shape.
 */
export default function embedSkills(options?: EmbedSkillsOptions): Plugin[] {
  const session = new Session(options)
  const types = typesPlugin(session)
  const plugins: Plugin[] = [setPlugin(session), macroPlugin(session, types.api!.embedSkills), types]
  return session.options.verify ? [...plugins, provePlugin(session)] : plugins
}

/** Without `enforce`, so that it gets what others have made of TypeScript, Vue and Svelte: JavaScript. */
function macroPlugin(session: Session, { globs }: TypesApi): Plugin {
  return {
    name: 'embed-skills:macro',
    transform: {
      filter: { code: MACRO_CODE },
      handler(code, id) {
        const transformed = transform(this, code, id, session.root)
        for (const glob of transformed?.globs ?? []) globs.add(glob)
        return transformed && { code: transformed.code, map: transformed.map.toString() }
      },
    },
  }
}

/** Builds alone: a dev server writes no bundle. */
function provePlugin(session: Session): Plugin {
  return proofPlugin<Rollup.PluginContext>(({ environment }) => session.expected(targetOf(environment)))
}

/** Resolves, loads and watches the modules of all sets. */
function setPlugin(session: Session): Plugin {
  const changes = createHotChanges(session)
  let watch: ((files: string[]) => void) | undefined
  return {
    name: 'embed-skills',
    configResolved({ root, logLevel }) {
      session.root = root
      session.quiet = logLevel !== undefined && logLevel !== 'info'
    },
    configureServer({ watcher }) {
      // A folder added by `addWatchFile` would break the import analysis of a dev server.
      watch = (files) => watcher.add(files)
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
        const target = targetOf(this.environment)
        const code = await load(session, this, id, target, target.dev ? watch : watcherOf(this))
        if (target.dev) await summarize(session, (line) => log(this.environment, line))
        return { code, moduleType: 'js', map: null }
      },
    },
    watchChange(file) {
      // In dev `hotUpdate` sees it too, and has to compare before and after.
      if (this.environment.mode !== 'dev') session.invalidate([file])
    },
    hotUpdate: {
      order: 'pre',
      async handler({ file, timestamp, modules }) {
        const isStale = await changes(file, timestamp)
        if (!isStale) return
        const graph = [...this.environment.moduleGraph.idToModuleMap.values()]
        const stale = graph.filter(({ id }) => id !== null && isStale(id))
        return [...new Set<EnvironmentModuleNode>([...modules, ...stale])]
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

function targetOf({ mode, config }: Environment): Target {
  const isWorkerd = config.resolve.conditions.includes('workerd')
  return {
    dev: mode === 'dev',
    // Vite itself takes them for assets.
    binary: isWorkerd && config.plugins.some(({ name }) => name.startsWith('vite-plugin-cloudflare')),
    runtime: isWorkerd ? 'workerd' : config.consumer === 'client' ? 'browser' : 'server',
  }
}
