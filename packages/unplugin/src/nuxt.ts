/**
 * Compiles skill folders in Nuxt, for its server routes as for its app: `virtual:skills`, `virtual:skills/<path>` and
 * `./some/SKILL.md?skill`.
 *
 * @example
 * // nuxt.config.ts
 * import embedSkills from 'unplugin-embed-skills/nuxt'
 *
 * export default defineNuxtConfig({ modules: [embedSkills('skills/*')] })
 *
 * @module
 */
import path from 'node:path'
import type { EmbedSkillsOptions } from './options.ts'
import { resolveOptions, withFrom } from './options.ts'
import embedSkillsInRollup from './rollup.ts'
import { TYPES_FILE } from './types-file.ts'
import embedSkillsInVite from './vite.ts'

export { vendorSkills } from '@embed-skills/compiler'
export type { EmbedSkillsOptions, PluginOptions } from './options.ts'

const CLIENT = { types: 'unplugin-embed-skills/client' }

/** As much of Nuxt as is needed, whose own types bring globals along. */
export interface Nuxt {
  readonly options: { readonly rootDir: string }
  hook(name: 'vite:extend', handler: (context: { config: BuildConfig }) => void): unknown
  hook(name: 'nitro:config', handler: (config: NitroConfig) => void): unknown
  hook(
    name: 'prepare:types' | 'nitro:prepare:types',
    handler: (types: { references: { types: string }[] }) => void,
  ): unknown
}

export interface BuildConfig {
  plugins?: unknown
}

export interface NitroConfig {
  rollupConfig?: BuildConfig
  typescript?: { tsConfig?: { include?: string[] } }
}

/**
 * A module of Nuxt: the app's builds get the plugin of Vite, and the server's, which are Nitro's, the one of Rollup.
 *
 * @param options Where skills are, relative to the project's root; nothing where a configuration file says it, or for
 *   the macro alone.
 * @throws TypeError for options of another shape.
 */
export default function embedSkills(options?: EmbedSkillsOptions): (inline: unknown, nuxt: Nuxt) => void {
  const { types } = resolveOptions(options)
  return (_, nuxt) => {
    // Vite's root is `app`, and Nitro tells of none.
    const root = nuxt.options.rootDir
    const given = { root, ...withFrom(options) }
    const file = types && path.resolve(root, types === true ? TYPES_FILE : types)
    nuxt.hook('vite:extend', ({ config }) => {
      config.plugins = [config.plugins, embedSkillsInVite({ ...given, types: file })]
    })
    nuxt.hook('nitro:config', (config) => {
      // Nitro replaces words such as `typeof window` in all that it has bundled. Base64 holds none of them.
      const ours = embedSkillsInRollup({ encoding: 'base64', ...given })
      config.rollupConfig = { ...config.rollupConfig, plugins: [config.rollupConfig?.plugins, ours] }
      if (file) config.typescript?.tsConfig?.include?.push(file)
    })
    for (const hook of ['prepare:types', 'nitro:prepare:types'] as const)
      nuxt.hook(hook, ({ references }) => void references.push(CLIENT))
  }
}
