/**
 * Compiles skill folders in Rollup: `virtual:skills`, `virtual:skills/<path>` and `./some/SKILL.md?skill`.
 *
 * @example
 * // rollup.config.js
 * import embedSkills from 'unplugin-embed-skills/rollup'
 *
 * export default {
 *   input: 'src/server.js',
 *   output: { dir: 'dist' },
 *   plugins: [embedSkills('skills/*')],
 * }
 *
 * @module
 */
import type { Plugin } from 'rollup'
import type { EmbedSkillsOptions } from './options.ts'
import { createPlugins } from './rollup-like.ts'

export { vendorSkills } from '@embed-skills/compiler'
export type { EmbedSkillsOptions, PluginOptions } from './options.ts'

/**
 * @param options Where skills are; nothing where a configuration file says it, or for the macro alone.
 * @throws TypeError for options of another shape.
 */
export default function embedSkills(options?: EmbedSkillsOptions): Plugin[] {
  return createPlugins(options)
}
