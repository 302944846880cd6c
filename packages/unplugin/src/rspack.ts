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
import { Session } from './session.ts'
import type { Compiler as CommonCompiler } from './webpack-like.ts'
import { applyTo, macroRule, SCHEME } from './webpack-like.ts'
import { proveWith } from './webpack-proof.ts'

export { vendorSkills } from '@embed-skills/compiler'
export type { EmbedSkillsOptions, PluginOptions } from './options.ts'

/**
 * @param options Where skills are; nothing where a configuration file says it, or for the macro alone.
 * @throws TypeError for options of another shape.
 */
export default function embedSkills(options?: EmbedSkillsOptions): RspackPluginInstance {
  // A session for each compiler, since a plugin may be applied to several.
  void new Session(options)
  return {
    apply(compiler: Compiler) {
      const session = new Session(options)
      const read = applyTo(compiler as unknown as CommonCompiler, session)
      proveWith(compiler as unknown as CommonCompiler, session)
      compiler.options.module.rules.push(macroRule(compiler))
      // Rspack does not let plugins read a scheme's resources, but a loader's pitch can.
      compiler.options.module.rules.unshift({
        scheme: SCHEME,
        type: 'javascript/auto',
        use: [{ loader: fileURLToPath(new URL('rspack-loader.js', import.meta.url)), options: { read } }],
      })
    },
  }
}
