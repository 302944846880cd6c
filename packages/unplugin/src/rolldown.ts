/**
 * Compiles skill folders in Rolldown: `virtual:skills`, `virtual:skills/<path>` and `./some/SKILL.md?skill`.
 *
 * @example
 * // rolldown.config.ts
 * import embedSkills from 'unplugin-embed-skills/rolldown'
 *
 * export default {
 *   input: 'src/server.ts',
 *   output: { dir: 'dist' },
 *   plugins: [embedSkills('skills/*')],
 * }
 *
 * @module
 */
import type { Plugin, PluginContext } from 'rolldown'
import { MACRO_CODE, transform } from './macro/rollup-like.ts'
import type { EmbedSkillsOptions } from './options.ts'
import { proofPlugin } from './proof.ts'
import { load, resolveId, summarize, watcherOf } from './rollup-like.ts'
import { Session } from './session.ts'

export { vendorSkills } from '@embed-skills/compiler'
export type { EmbedSkillsOptions, PluginOptions } from './options.ts'

/**
 * @param options Where skills are; nothing where a configuration file says it, or for the macro alone.
 * @throws TypeError for options of another shape.
 */
export default function embedSkills(options?: EmbedSkillsOptions): Plugin[] {
  const session = new Session(options)
  const plugins = [setPlugin(session), macroPlugin(session)]
  const prove = proofPlugin<PluginContext>(() => session.expected({}))
  return session.options.verify ? [...plugins, prove] : plugins
}

/** Compiles `embedSkills('./skills/*')` away. */
function macroPlugin(session: Session): Plugin {
  return {
    name: 'embed-skills:macro',
    transform: {
      filter: { code: MACRO_CODE },
      handler(code, id) {
        const transformed = transform(this, code, id, session.root)
        return transformed && { code: transformed.code, map: transformed.map.toString() }
      },
    },
  }
}

/** Resolves, loads and watches the modules of all sets. */
function setPlugin(session: Session): Plugin {
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
        return { code: await load(session, this, id, {}, watcherOf(this)), moduleType: 'js', map: null }
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
