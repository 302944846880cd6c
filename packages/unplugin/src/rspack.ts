/**
 * Compiles skill folders in Rspack: `virtual:skills`, `virtual:skills/<path>` and `./some/SKILL.md?skill`.
 *
 * @example
 * // rspack.config.js
 * import embedSkills from 'unplugin-embed-skills/rspack'
 *
 * export default {
 *   target: 'node',
 *   plugins: [embedSkills('skills/*')],
 * }
 *
 * @module
 */
import { fileURLToPath } from 'node:url'
import type { Compiler, RspackPluginInstance } from '@rspack/core'
import type { EmbedSkillsOptions } from './options.ts'
import { createPlugin, SCHEME } from './webpack-like.ts'

export { vendorSkills } from '@embed-skills/compiler'
export type { EmbedSkillsOptions, PluginOptions } from './options.ts'

/**
 * @param options Where skills are; nothing where a configuration file says it, or for the macro alone.
 * @throws TypeError for options of another shape.
 */
export default function embedSkills(options?: EmbedSkillsOptions): RspackPluginInstance {
  return createPlugin<Compiler>(options, (compiler, read) => {
    // Rspack does not let plugins read a scheme's resources, but a loader's pitch can.
    compiler.options.module.rules.unshift({
      scheme: SCHEME,
      type: 'javascript/auto',
      use: [{ loader: fileURLToPath(new URL('rspack-loader.js', import.meta.url)), options: { read } }],
    })
  })
}
