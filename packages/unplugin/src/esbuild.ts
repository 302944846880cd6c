/**
 * Compiles skill folders in esbuild: `virtual:skills`, `virtual:skills/<path>` and `./some/SKILL.md?skill`.
 *
 * @example
 * import embedSkills from 'unplugin-embed-skills/esbuild'
 * import { build } from 'esbuild'
 *
 * await build({
 *   entryPoints: ['src/server.ts'],
 *   bundle: true,
 *   platform: 'node',
 *   format: 'esm',
 *   splitting: true,
 *   outdir: 'dist',
 *   plugins: [embedSkills('skills/*')],
 * })
 *
 * @module
 */
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { BuildOptions, Loader, OnLoadResult, PartialMessage, Plugin, PluginBuild } from 'esbuild'
import { claimId } from './claim.ts'
import type { Target } from './content.ts'
import { fileOf, moduleId } from './ids.ts'
import { SOURCE } from './macro/compile.ts'
import { MacroError, macroLog, placeOf } from './macro/error.ts'
import { transformMacro } from './macro/transform.ts'
import type { Log } from './messages.ts'
import { lineOf } from './messages.ts'
import { proveWith } from './esbuild-proof.ts'
import type { EmbedSkillsOptions } from './options.ts'
import { summarize } from './rollup-like.ts'
import { Session } from './session.ts'

export { vendorSkills } from '@embed-skills/compiler'
export type { EmbedSkillsOptions, PluginOptions } from './options.ts'

const NAMESPACE = 'embed-skills'

/**
 * @param options Where skills are; nothing where a configuration file says it, or for the macro alone. Beside
 *   options the macro has to be asked for, `macro: true`, since this plugin then reads every source file.
 * @throws TypeError for options of another shape.
 */
export default function embedSkills(options?: EmbedSkillsOptions): Plugin {
  const session = new Session(options)
  return {
    name: 'embed-skills',
    setup(build) {
      const { absWorkingDir = process.cwd(), logLevel = 'warning' } = build.initialOptions
      claimId(build.initialOptions, session)
      session.root = absWorkingDir
      session.quiet = logLevel === 'silent' || logLevel === 'error'
      const target = targetOf(build.initialOptions)

      // Nobody tells what changed before a rebuild.
      build.onStart(() => session.invalidate())
      for (const filter of session.requests)
        build.onResolve({ filter }, async ({ path, importer, resolveDir, kind, pluginData }) => {
          if (pluginData === NAMESPACE) return undefined
          const id = session.resolve(path, resolveDir ? `${resolveDir}/importer` : importer)
          if (id !== undefined) return { path: moduleId(id), namespace: NAMESPACE }
          // An alias, or a file of a package.
          const file = await build.resolve(fileOf(path), {
            resolveDir,
            importer,
            kind,
            pluginData: NAMESPACE,
          })
          if (file.errors.length > 0) return { errors: file.errors }
          return { path: session.single(file.path), namespace: NAMESPACE }
        })
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, async ({ path }): Promise<OnLoadResult> => {
        const { code, watch, error, unknown } = await session.load(path, target)
        const fault = error ?? unknown
        return {
          contents: code,
          loader: 'js',
          warnings: (await session.warnings(target, path)).map(messageOf),
          errors: fault ? [messageOf(fault)] : [],
          ...(watch && {
            watchFiles: [...watch.files, ...watch.missing],
            watchDirs: [...watch.directories],
          }),
        }
      })
      proveWith(build, session, target, NAMESPACE)
      if (session.options.macro) compileMacro(build, session)
      build.onEnd(() =>
        summarize(session, (line) => {
          if (/^(?:info|debug|verbose)$/.test(logLevel)) console.info(`[embed-skills] ${line}`)
        }),
      )
    },
  }
}

/** Reads every source file, ahead of esbuild, and gives it those that hold a call of the macro. */
function compileMacro(build: PluginBuild, session: Session): void {
  build.onLoad({ filter: SOURCE }, async ({ path }): Promise<OnLoadResult | undefined> => {
    const code = await readFile(path, 'utf8')
    try {
      const transformed = transformMacro(code, path, { root: session.root })
      if (!transformed) return undefined
      const ending = extname(path)
      const loader = build.initialOptions.loader?.[ending] ?? (ending.replace(/[.cm]+/, '') as Loader)
      return { contents: `${transformed.code}\n//# sourceMappingURL=${transformed.map.toUrl()}\n`, loader }
    } catch (error) {
      if (!(error instanceof MacroError)) throw error
      const place = placeOf(code, error.offset)
      return { errors: [messageOf(macroLog(error.message, path, code, place))] }
    }
  })
}

/** esbuild draws the frame itself, of one line. */
function messageOf(log: Log): PartialMessage {
  const { message, loc } = log
  if (!loc) return { text: message }
  const [text = '', ...notes] = message.split('\n')
  const lineText = lineOf(loc)
  return {
    text,
    // esbuild counts columns in bytes.
    location: { ...loc, column: Buffer.byteLength(lineText.slice(0, loc.column)), lineText },
    notes: [{ text: notes.join('\n') }],
  }
}

function targetOf({ platform, conditions = [], splitting = false }: BuildOptions): Target {
  const isWorkerd = conditions.includes('workerd') || conditions.includes('worker')
  const runtime = { browser: 'browser', node: 'server', neutral: undefined } as const
  // Without a word esbuild means browsers, but many who say nothing build for elsewhere.
  return { runtime: isWorkerd ? 'workerd' : platform && runtime[platform], splits: splitting }
}
