/**
 * Compiles skill folders in Astro, for pages and endpoints: `virtual:skills`, `virtual:skills/<path>` and
 * `./some/SKILL.md?skill`.
 *
 * @example
 * // astro.config.ts
 * import node from '@astrojs/node'
 * import { defineConfig } from 'astro/config'
 * import embedSkills from 'unplugin-embed-skills/astro'
 *
 * export default defineConfig({
 *   adapter: node({ mode: 'standalone' }),
 *   integrations: [embedSkills('skills/*')],
 * })
 *
 * @module
 */
import type { AstroIntegration } from 'astro'
import type { EmbedSkillsOptions } from './options.ts'
import embedSkillsInVite from './vite.ts'

export { vendorSkills } from '@embed-skills/compiler'
export type { EmbedSkillsOptions, PluginOptions } from './options.ts'

/**
 * @param options Where skills are; nothing where a configuration file says it, or for the macro alone.
 * @throws TypeError for options of another shape.
 */
export default function embedSkills(options?: EmbedSkillsOptions): AstroIntegration {
  const plugins = embedSkillsInVite(options)
  return {
    name: 'embed-skills',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => {
        updateConfig({ vite: { plugins } })
      },
    },
  }
}
