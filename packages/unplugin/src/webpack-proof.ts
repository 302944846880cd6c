import type { WrittenChunk } from '@embed-skills/compiler/proof'
import type { Target } from './content.ts'
import { moduleId } from './ids.ts'
import type { Session } from './session.ts'
import type { Compiler } from './webpack-like.ts'
import { reportMissing } from './proof-report.ts'

const NAME = 'embed-skills'
/** `PROCESS_ASSETS_STAGE_REPORT`: nobody changes assets after this. */
const LAST = 5000

/**
 * Fails a production build of webpack or Rspack whose chunks do not hold what was compiled into them. Eval
 * builds hold code in strings, and are for development.
 *
 * @param scheme What the resources of our modules begin with.
 */
export function proveWith(compiler: Compiler, session: Session, scheme: string, target: () => Target): void {
  const { mode, devtool } = compiler.options
  if (!session.options.verify || mode !== 'production' || /eval/.test(String(devtool))) return
  ;(compiler as unknown as ProvedCompiler).hooks.compilation.tap(NAME, (compilation) => {
    compilation.hooks.processAssets.tapPromise({ name: NAME, stage: LAST }, async () => {
      const chunks = [...compilation.chunks].flatMap((chunk) =>
        written(compilation, chunk, scheme, 'rspack' in compiler),
      )
      const held = chunks.filter(({ modules }) => modules.size > 0)
      if (!held.length || compilation.errors.length) return
      const { verifyBundle } = await import('@embed-skills/compiler/proof')
      const missing = verifyBundle(held, [], await session.expected(target()))
      if (!missing.length) return
      const text = reportMissing(missing, [])
      compilation.errors.push(
        Object.assign(new Error(text), { name: 'SkillError', stack: '', hideStack: true }),
      )
    })
  })
}

/** The files of a chunk, with our modules in them. */
function written(
  compilation: ProvedCompilation,
  chunk: Chunk,
  scheme: string,
  isRspack: boolean,
): WrittenChunk[] {
  const modules = new Map<string, readonly string[] | undefined>()
  // Rspack gives a set and takes an array.
  const runtime = chunk.runtime instanceof Set && isRspack ? [...chunk.runtime] : chunk.runtime
  for (const module of compilation.chunkGraph.getChunkModules(chunk))
    for (const inner of module.modules ?? [module]) {
      if (!inner.resource?.startsWith(`${scheme}:`)) continue
      const used = compilation.moduleGraph.getUsedExports(inner, runtime)
      const exports = used === false ? [] : typeof used === 'object' && used !== null ? [...used] : undefined
      modules.set(moduleId(inner.resource.slice(scheme.length + 1)), exports)
    }
  return [...chunk.files]
    .filter((fileName) => /\.[cm]?js$/.test(fileName))
    .map((fileName) => ({
      fileName,
      code: compilation.getAsset(fileName)!.source.source().toString(),
      modules,
    }))
}

/** As much as webpack and Rspack have in common, and the plugin's other parts do not need. */
interface ProvedCompiler {
  readonly hooks: {
    readonly compilation: { tap(name: string, handler: (c: ProvedCompilation) => void): void }
  }
}

interface ProvedCompilation {
  readonly chunks: Iterable<Chunk>
  readonly errors: Error[]
  readonly hooks: {
    readonly processAssets: {
      tapPromise(options: { name: string; stage: number }, handler: () => Promise<void>): void
    }
  }
  readonly chunkGraph: { getChunkModules(chunk: Chunk): Iterable<Module> }
  readonly moduleGraph: {
    getUsedExports(module: Module, runtime: unknown): boolean | null | Iterable<string>
  }
  getAsset(name: string): { readonly source: { source(): string | Buffer } } | undefined
}

interface Chunk {
  readonly files: Iterable<string>
  readonly runtime: unknown
}

interface Module {
  readonly resource?: string
  /** What was put into one. */
  readonly modules?: readonly Module[]
}
