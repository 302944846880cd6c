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
import type { JsPlugin, ResolvedUserConfig } from '@farmfe/core'
import type { Target } from './content.ts'
import { moduleId } from './ids.ts'
import { toText } from './messages.ts'
import type { EmbedSkillsOptions } from './options.ts'
import { summarize } from './rollup-like.ts'
import { Session } from './session.ts'

export { vendorSkills } from '@embed-skills/compiler'
export type { EmbedSkillsOptions, PluginOptions } from './options.ts'

/**
 * @param options Where skills are; nothing where a configuration file says it.
 * @throws TypeError for options of another shape.
 */
export default function embedSkills(options?: EmbedSkillsOptions): JsPlugin {
  const session = new Session(options)
  let target: Target = {}
  /** The paths of our modules. */
  const loaded = new Set<string>()
  return {
    name: 'embed-skills',
    configResolved(config) {
      session.root = config.root ?? process.cwd()
      target = targetOf(config)
    },
    resolve: {
      // Farm's filters are not JavaScript's: ours are asked below.
      filters: { sources: ['.*'], importers: ['.*'] },
      executor({ source, importer }) {
        // Farm gives importers relative to where it runs.
        const id = session.resolve(source, importer === null ? undefined : path.resolve(importer))
        return id === undefined ? undefined : { resolvedPath: moduleId(id), sideEffects: true, query: [] }
      },
    },
    load: {
      filters: { resolvedPaths: ['.*'] },
      async executor({ resolvedPath, query }, context) {
        const id = query.some(([key]) => key === 'skill') ? `${resolvedPath}?skill` : resolvedPath
        if (!session.ids.some((filter) => filter.test(id))) return undefined
        loaded.add(resolvedPath)
        const { code, watch, error, unknown } = await session.load(id, target)
        for (const file of watch?.files ?? []) context?.addWatchFile(resolvedPath, file)
        for (const warning of await session.warnings(target, id)) context?.warn(toText(warning))
        const fault = error ?? unknown
        if (fault) throw new Error(toText(fault))
        return { content: code, moduleType: 'js' }
      },
    },
    updateModules: {
      // Of an edit Farm names the module that asked to watch the file. Of new files and removed ones it says
      // nothing, so that they show with the next edit.
      async executor() {
        session.invalidate()
        const stale: string[] = []
        // Farm does not survive an update of a module that the same update takes away.
        for (const path of loaded) if (await session.has(path)) stale.push(path)
        return stale.length > 0 ? stale : undefined
      },
    },
    finish: {
      executor: () => summarize(session, (line) => console.info(`[embed-skills] ${line}`)),
    },
  }
}

function targetOf({ compilation }: ResolvedUserConfig): Target {
  const { targetEnv } = compilation?.output ?? {}
  if (targetEnv === undefined) return {}
  return {
    runtime: targetEnv.includes('node') ? 'server' : targetEnv.startsWith('browser') ? 'browser' : undefined,
  }
}
