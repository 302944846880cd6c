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
import type { LoaderContext } from './webpack-like.ts'
import { createPlugin, SCHEME } from './webpack-like.ts'

export { vendorSkills } from '@embed-skills/compiler'
export type { EmbedSkillsOptions, PluginOptions } from './options.ts'

/**
 * @param options Where skills are; nothing where a configuration file says it, or for the macro alone.
 * @throws TypeError for options of another shape.
 */
export default function embedSkills(options?: EmbedSkillsOptions): WebpackPluginInstance {
  return createPlugin<Compiler>(options, ({ hooks, webpack }, read) => {
    hooks.compilation.tap('embed-skills', (compilation) => {
      const { readResource } = webpack.NormalModule.getCompilationHooks(compilation)
      readResource
        .for(SCHEME)
        .tapPromise('embed-skills', (loader) => read(loader as unknown as LoaderContext))
    })
  })
}
