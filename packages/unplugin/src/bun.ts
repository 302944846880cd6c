/**
 * Compiles skill folders in Bun's bundler: `virtual:skills`, `virtual:skills/<path>` and
 * `./some/SKILL.md?skill`.
 *
 * @example
 * import embedSkills from 'unplugin-embed-skills/bun'
 *
 * await Bun.build({
 *   entrypoints: ['src/server.ts'],
 *   target: 'bun',
 *   splitting: true,
 *   outdir: 'dist',
 *   plugins: [embedSkills('skills/*')],
 * })
 *
 * @module
 */
import { claimId } from './claim.ts'
import { proveWith } from './bun-proof.ts'
import type { BuildResult } from './bun-proof.ts'
import type { Target } from './content.ts'
import { moduleId } from './ids.ts'
import { readMacro, SOURCE } from './macro/compile.ts'
import { toText } from './messages.ts'
import type { EmbedSkillsOptions } from './options.ts'
import { summarize } from './rollup-like.ts'
import { Session } from './session.ts'

export { vendorSkills } from '@embed-skills/compiler'
export type { EmbedSkillsOptions, PluginOptions } from './options.ts'

/** A plugin as `Bun.build` takes it. */
export interface BunPlugin {
  readonly name: string
  setup(build: BunBuilder): void
}

/** As much of Bun's `PluginBuilder` as is needed, whose own types bring globals along. */
export interface BunBuilder {
  readonly config: BunConfig
  onStart(callback: () => void): unknown
  /** Bun has it from 1.2.22 on. */
  onEnd?(callback: (result: BuildResult) => Promise<void>): unknown
  onResolve(
    constraints: { filter: RegExp },
    callback: (args: { path: string; importer: string }) => { path: string; namespace: string } | undefined,
  ): unknown
  onLoad(
    constraints: { filter: RegExp; namespace?: string },
    callback: (args: {
      path: string
      loader: string
    }) => Promise<{ contents: string; loader: string } | undefined>,
  ): unknown
}

export interface BunConfig {
  readonly outdir?: string
  metafile?: unknown
  readonly root?: string
  readonly target?: 'browser' | 'bun' | 'node'
  readonly conditions?: string | string[]
  readonly splitting?: boolean
}

const NAMESPACE = 'embed-skills'

/**
 * @param options Where skills are; nothing where a configuration file says it, or for the macro alone. Beside
 *   options the macro has to be asked for, `macro: true`, since this plugin then reads every source file.
 * @throws TypeError for options of another shape.
 */
export default function embedSkills(options?: EmbedSkillsOptions): BunPlugin {
  const session = new Session(options)
  const say = (): Promise<void> => summarize(session, (line) => console.info(`[embed-skills] ${line}`))
  return {
    name: 'embed-skills',
    setup(build) {
      claimId(build.config, session)
      const target = targetOf(build.config)
      build.onStart(() => session.invalidate())
      for (const filter of session.requests)
        build.onResolve({ filter }, ({ path, importer }) => {
          const id = session.resolve(path, importer)
          return id === undefined ? undefined : { path: moduleId(id), namespace: NAMESPACE }
        })
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, async ({ path }) => {
        const { code, error, unknown } = await session.load(path, target)
        for (const log of await session.warnings(target, path)) console.warn(`[embed-skills] ${toText(log)}`)
        const fault = error ?? unknown
        if (fault) throw new Error(toText(fault))
        return { contents: code, loader: 'js' }
      })
      // For this Bun reads every source file through the plugin.
      if (session.options.macro)
        build.onLoad({ filter: SOURCE }, async ({ path, loader }) => {
          const transformed = await readMacro(path, session.root)
          return transformed && { contents: transformed.code, loader }
        })
      build.onEnd?.(say)
      proveWith(build, session, target, NAMESPACE)
    },
  }
}

function targetOf({ target, conditions = [], splitting = false }: BunConfig): Target {
  const isWorkerd = [conditions].flat().some((condition) => condition === 'workerd' || condition === 'worker')
  // Without a word Bun means browsers, but many who say nothing build for elsewhere.
  const runtime = target && (target === 'browser' ? 'browser' : 'server')
  return { runtime: isWorkerd ? 'workerd' : runtime, splits: splitting }
}
