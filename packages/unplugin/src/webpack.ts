/**
 * Compiles skill folders in webpack: `virtual:skills`, `virtual:skills/<path>` and `./some/SKILL.md?skill`.
 *
 * @example
 * // webpack.config.js
 * import embedSkills from 'unplugin-embed-skills/webpack'
 *
 * export default {
 *   target: 'node',
 *   plugins: [embedSkills('skills/*')],
 * }
 *
 * @module
 */
import type { Compiler, WebpackPluginInstance } from 'webpack'
import type { EmbedSkillsOptions } from './options.ts'
import { Session } from './session.ts'
import type { Compiler as CommonCompiler, LoaderContext } from './webpack-like.ts'
import { applyTo, macroRule, SCHEME } from './webpack-like.ts'
import { proveWith } from './webpack-proof.ts'

export { vendorSkills } from '@embed-skills/compiler'
export type { EmbedSkillsOptions, PluginOptions } from './options.ts'

/**
 * @param options Where skills are; nothing where a configuration file says it, or for the macro alone.
 * @throws TypeError for options of another shape.
 */
export default function embedSkills(options?: EmbedSkillsOptions): WebpackPluginInstance {
  // A session for each compiler, since a plugin may be applied to several.
  void new Session(options)
  return {
    apply(compiler: Compiler) {
      const session = new Session(options)
      const read = applyTo(compiler as unknown as CommonCompiler, session)
      proveWith(compiler as unknown as CommonCompiler, session)
      compiler.options.module.rules.push(macroRule(compiler))
      compiler.hooks.compilation.tap('embed-skills', (compilation) => {
        const hooks = compiler.webpack.NormalModule.getCompilationHooks(compilation)
        hooks.readResource
          .for(SCHEME)
          .tapPromise('embed-skills', (loader) => read(loader as unknown as LoaderContext))
      })
    },
  }
}
