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
import { hash } from 'node:crypto'
import type { Content } from '@embed-skills/compiler'
import type { DevEnvironment, Environment, EnvironmentModuleNode, Plugin, Rollup } from 'vite'
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
  // A hash of what each environment was given last, by module: an edit concerns those that would get something else.
  const given = new WeakMap<Environment, Map<string, string>>()

  /** The modules of ours that an environment has to ask for again. */
  async function staleModules(environment: DevEnvironment): Promise<EnvironmentModuleNode[]> {
    const compilation = await set.compile()
    const modules = compilation.modules('chunks')
    const codes = given.get(environment) ?? new Map<string, string>()
    const isStale = (id: string): boolean => {
      const write = modules.get(moduleId(id))
      return codes.has(id) && (compilation.hasErrors || !write || codes.get(id) !== hash('sha256', write()))
    }
    const stale = [...environment.moduleGraph.idToModuleMap.values()].filter(({ id }) => isStale(id!))
    for (const node of stale) {
      // Until it is asked for, the next edit does not concern it.
      codes.delete(node.id!)
      // A hot update alone would let Vite keep what it is loading right now, from before the edit.
      environment.moduleGraph.invalidateModule(node)
    }
    return stale
  }

  /** Without code: there is none yet, or there was an error. */
  function remember(environment: Environment, id: string, code?: string): void {
    const codes = given.get(environment) ?? new Map<string, string>()
    given.set(environment, codes.set(id, code === undefined ? '' : hash('sha256', code)))
  }

  /** Warnings once a compilation, and errors wherever a module of the set is asked for. */
  function report(context: Rollup.PluginContext, compilation: Compilation): void {
    const { diagnostics } = compilation.result
    if (!reported.has(compilation))
      for (const group of bySkill(diagnostics, 'warning')) context.warn(toLog(group, set.root))
    reported.add(compilation)
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    if (errors.length) context.error(toLog(errors, set.root, keepsMessageOnly(context.environment)))
  }

  return {
    name: 'embed-skills',
    configResolved({ root }) {
      set.root = root
    },
    async configureServer({ watcher, environments }) {
      const { watch } = (await set.compile()).result
      watcher.add([...watch.files, ...watch.directories])
      // Vite tells nobody of folders, but an empty one is served, and may be what is wrong.
      const onFolder = async (folder: string): Promise<void> => {
        if (!set.concerns(folder)) return
        set.invalidate()
        for (const environment of Object.values(environments))
          for (const module of await staleModules(environment)) await environment.reloadModule(module)
      }
      for (const event of ['addDir', 'unlinkDir'] as const)
        watcher.on(event, (folder: string) => void onFolder(folder))
    },
    resolveId: {
      filter,
      handler: (id) => resolvedId(id),
    },
    load: {
      filter,
      async handler(id) {
        const isDev = this.environment.mode === 'dev'
        if (isDev) remember(this.environment, id)
        const compilation = await set.compile()
        const { watch, skills } = compilation.result
        // In dev the watcher has them already, and a folder added here would break the import analysis.
        if (this.environment.mode === 'build' && this.meta.watchMode)
          for (const target of [...watch.files, ...watch.directories]) this.addWatchFile(target)
        report(this, compilation)
        const write = compilation.modules(contentFor(this.environment, resolved.content)).get(moduleId(id))
        if (write) {
          const code = write()
          if (isDev) remember(this.environment, id, code)
          return { code, moduleType: 'js', map: null }
        }
        const paths = skills.map(({ path }) => `${resolved.id}/${path}`)
        return this.error(
          `There is no module ${moduleId(id)}. There are: ${[resolved.id, ...paths].join(', ')}`,
        )
      },
    },
    // Before `hotUpdate`, and in a build that watches.
    watchChange(file) {
      if (set.concerns(file)) set.invalidate()
    },
    hotUpdate: {
      order: 'pre',
      async handler({ file, modules }) {
        if (!set.concerns(file)) return
        return [...new Set([...modules, ...(await staleModules(this.environment))])]
      },
    },
  }
}

/** What runs elsewhere, as a Worker does in workerd, is told no more of an error than its message. */
function keepsMessageOnly(environment: Environment): boolean {
  return environment.mode === 'dev' && environment.name !== 'client' && !('runner' in environment)
}

/** workerd processes every module at start, so that chunks would cost there and save nothing. */
function contentFor({ mode, config }: Environment, wanted: Content | undefined): Content {
  if (mode === 'dev') return 'chunks'
  return wanted ?? (config.resolve.conditions.includes('workerd') ? 'inline' : 'chunks')
}
