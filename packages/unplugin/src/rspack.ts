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
import type { Compiler, RspackPluginInstance } from '@rspack/core'
import type { EmbedSkillsOptions } from './options.ts'
import { Session } from './session.ts'
import type { Compiler as CommonCompiler } from './webpack-like.ts'
import { applyTo } from './webpack-like.ts'

export { vendorSkills } from '@embed-skills/compiler'
export type { EmbedSkillsOptions, PluginOptions } from './options.ts'

/** @throws TypeError for options of another shape. */
export default function embedSkills(options: EmbedSkillsOptions): RspackPluginInstance {
  // A session for each compiler, since a plugin may be applied to several.
  void new Session(options)
  return {
    apply(compiler: Compiler) {
      applyTo(compiler as unknown as CommonCompiler, new Session(options))
    },
  }
}
