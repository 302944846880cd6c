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
import { load, resolveId, summarize, watcherOf } from './rollup-like.ts'
import { Session } from './session.ts'

export { vendorSkills } from '@embed-skills/compiler'
export type { EmbedSkillsOptions, PluginOptions } from './options.ts'

/** @throws TypeError for options of another shape. */
export default function embedSkills(options: EmbedSkillsOptions): Plugin {
  const session = new Session(options)
  return {
    name: 'embed-skills',
    resolveId: {
      order: 'pre',
      filter: { id: session.requests },
      handler(id, importer) {
        return resolveId(session, this, id, importer)
      },
    },
    load: {
      filter: { id: session.ids },
      async handler(id) {
        // Older versions know no filters.
        if (!session.ids.some((filter) => filter.test(id))) return null
        return { code: await load(session, this, id, {}, watcherOf(this)), map: null }
      },
    },
    watchChange(file) {
      session.invalidate([file])
    },
    async buildEnd(error) {
      if (!error) await summarize(session, (line) => this.info(line))
    },
  }
}
