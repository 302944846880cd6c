/**
 * Compiles skill folders in Vite: `virtual:skills` and `virtual:skills/<path>`, in dev, build and SSR,
 * and in a Worker through `@cloudflare/vite-plugin`.
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
import type { Content } from '@embed-skills/compiler'
import type { Environment, EnvironmentModuleNode, Plugin, Rollup } from 'vite'
import { bySkill, toLog } from './messages.ts'
import type { EmbedSkillsOptions } from './options.ts'
import { resolveOptions } from './options.ts'
import { idFilter, moduleId, resolvedId } from './ids.ts'
import type { Compilation } from './skill-set.ts'
import { SkillSet } from './skill-set.ts'

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
  const resolved = resolveOptions(options)
  const set = new SkillSet(resolved)
  const filter = { id: idFilter(resolved.id) }
  const reported = new WeakSet<Compilation>()
  let changed: { timestamp: number; before: Promise<Compilation>; after: Promise<Compilation> } | undefined

  /** Warnings once a compilation, and errors wherever a module of the set is asked for. */
  function report(context: Rollup.PluginContext, compilation: Compilation): void {
    const { diagnostics } = compilation.result
    if (!reported.has(compilation))
      for (const group of bySkill(diagnostics, 'warning')) context.warn(toLog(group, set.root))
    reported.add(compilation)
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    if (errors.length) context.error(toLog(errors, set.root))
  }

  return {
    name: 'embed-skills',
    configResolved({ root }) {
      set.root = root
    },
    async configureServer({ watcher }) {
      const { watch } = (await set.compile()).result
      watcher.add([...watch.files, ...watch.directories])
    },
    resolveId: {
      filter,
      handler: (id) => resolvedId(id),
    },
    load: {
      filter,
      async handler(id) {
        const compilation = await set.compile()
        const { watch, skills } = compilation.result
        // In dev the watcher has them already, and a folder added here would break the import analysis.
        if (this.environment.mode === 'build' && this.meta.watchMode)
          for (const target of [...watch.files, ...watch.directories]) this.addWatchFile(target)
        report(this, compilation)
        const write = compilation.modules(contentFor(this.environment, resolved.content)).get(moduleId(id))
        if (write) return { code: write(), moduleType: 'js', map: null }
        const paths = skills.map(({ path }) => `${resolved.id}/${path}`)
        return this.error(
          `There is no module ${moduleId(id)}. There are: ${[resolved.id, ...paths].join(', ')}`,
        )
      },
    },
    watchChange(file) {
      if (set.concerns(file)) set.invalidate()
    },
    hotUpdate: {
      order: 'pre',
      async handler({ file, timestamp, modules }) {
        if (!set.concerns(file)) return
        // Every environment is told of the change; the first one compiles.
        if (changed?.timestamp !== timestamp) {
          const before = set.compile()
          set.invalidate()
          changed = { timestamp, before, after: set.compile() }
        }
        const [before, after] = await Promise.all([changed.before, changed.after])
        const graph = this.environment.moduleGraph
        const stale = [...graph.idToModuleMap.values()].filter(
          ({ id }) => id !== null && filter.id.test(id) && differs(moduleId(id), before, after),
        )
        return [...new Set<EnvironmentModuleNode>([...modules, ...stale])]
      },
    },
  }
}

function differs(id: string, before: Compilation, after: Compilation): boolean {
  if (before.hasErrors || after.hasErrors) return true
  const [old, current] = [before, after].map((compilation) => compilation.modules('chunks').get(id)?.())
  return old !== current
}

/** workerd processes every module at start, so that chunks would cost there and save nothing. */
function contentFor({ mode, config }: Environment, wanted: Content | undefined): Content {
  if (mode === 'dev') return 'chunks'
  return wanted ?? (config.resolve.conditions.includes('workerd') ? 'inline' : 'chunks')
}
