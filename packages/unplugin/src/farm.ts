/**
 * Compiles skill folders in Farm: `virtual:skills`, `virtual:skills/<path>` and `./some/SKILL.md?skill`.
 *
 * @example
 * // farm.config.ts
 * import { defineConfig } from '@farmfe/core'
 * import embedSkills from 'unplugin-embed-skills/farm'
 *
 * export default defineConfig({
 *   compilation: { input: { server: 'src/server.ts' }, output: { targetEnv: 'node' } },
 *   plugins: [embedSkills('skills/*')],
 * })
 *
 * @module
 */
import path from 'node:path'
import type { Compiler, JsPlugin, ResolvedUserConfig } from '@farmfe/core'
import { claimId } from './claim.ts'
import type { Target } from './content.ts'
import { prove } from './farm-proof.ts'
import type { FarmWatch } from './farm-watch.ts'
import { startWatch } from './farm-watch.ts'
import { moduleId } from './ids.ts'
import { compileMacro } from './macro/compile.ts'
import { toText } from './messages.ts'
import type { EmbedSkillsOptions } from './options.ts'
import { summarize } from './rollup-like.ts'
import { Session } from './session.ts'

export { vendorSkills } from '@embed-skills/compiler'
export type { EmbedSkillsOptions, PluginOptions } from './options.ts'

/**
 * @param options Where skills are; nothing where a configuration file says it, or for the macro alone.
 * @throws TypeError for options of another shape.
 */
export default function embedSkills(options?: EmbedSkillsOptions): JsPlugin {
  const session = new Session(options)
  let config: ResolvedUserConfig
  let target: Target = {}
  let compiler: Compiler | undefined
  let watch: FarmWatch | undefined
  /** The code of our modules when all was well, by id. */
  const loaded = new Map<string, string>()
  const say = (): Promise<void> => summarize(session, (line) => console.info(`[embed-skills] ${line}`))
  return {
    name: 'embed-skills',
    configResolved(resolved) {
      config = resolved
      claimId(config, session)
      session.root = rootOf(config)
      target = targetOf(config)
    },
    configureCompiler(given) {
      compiler = given
      loaded.clear()
      if (isProduction(config) && !config.compilation?.watch) return
      const { input, output } = config.compilation ?? {}
      watch = startWatch(JSON.stringify([session.root, session.options.id, input, output]), session, target)
      watch.compiler = compiler
    },
    configureDevServer(server) {
      if (watch) watch.server = server
    },
    resolve: {
      // Farm's filters are not JavaScript's: ours are asked below.
      filters: { sources: ['.*'], importers: ['.*'] },
      executor({ source, importer }) {
        // Farm gives importers relative to its root.
        const id = session.resolve(
          source,
          importer === null ? undefined : path.resolve(rootOf(config), importer),
        )
        return id === undefined ? undefined : { resolvedPath: moduleId(id), sideEffects: true, query: [] }
      },
    },
    load: {
      filters: { resolvedPaths: ['.*'] },
      async executor({ resolvedPath, query }, context) {
        const id = query.some(([key]) => key === 'skill') ? `${resolvedPath}?skill` : resolvedPath
        if (!session.ids.some((filter) => filter.test(id))) return undefined
        const { code, watch: targets, error, unknown } = await session.load(id, target)
        for (const warning of await session.warnings(target, id)) context?.warn(toText(warning))
        const fault = error ?? unknown
        // While it watches, Farm survives no error at all times. The watch has said what is wrong.
        const kept = watch && fault && loaded.get(id)
        if (kept !== undefined) return { content: kept, moduleType: 'js' }
        if (fault) throw new Error(toText(fault))
        loaded.set(id, code)
        await watch?.take(id, resolvedPath, targets !== undefined)
        return { content: code, moduleType: 'js' }
      },
    },
    transform: {
      filters: { moduleTypes: ['js', 'jsx', 'ts', 'tsx'] },
      // Of a hook that throws before it gives a promise Farm dies.
      async executor({ content, moduleType, resolvedPath }) {
        const transformed = compileMacro(content, resolvedPath, session.root)
        return transformed && { content: transformed.code, moduleType, sourceMap: transformed.map.toString() }
      },
    },
    updateModules: {
      // Skills that are imported by their file are modules to Farm, which updates them by itself.
      executor({ paths }) {
        const changed = paths
          .map(([file]) => path.resolve(rootOf(config), file))
          .filter((file) => session.concerns(file))
        if (changed.length > 0) session.invalidate(changed)
      },
    },
    finish: {
      async executor() {
        await say()
        if (compiler && session.options.verify && isProduction(config))
          await prove(compiler, session, target, loaded.keys(), config.jsPlugins ?? [])
      },
    },
    updateFinished: { executor: say },
  }
}

function rootOf({ root = process.cwd() }: ResolvedUserConfig): string {
  return root
}

function isProduction({ compilation }: ResolvedUserConfig): boolean {
  return compilation?.mode === 'production'
}

function targetOf({ compilation }: ResolvedUserConfig): Target {
  const { targetEnv } = compilation?.output ?? {}
  if (targetEnv === undefined) return {}
  return {
    runtime: targetEnv.includes('node') ? 'server' : targetEnv.startsWith('browser') ? 'browser' : undefined,
  }
}
