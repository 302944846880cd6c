import type { ExpectedModule, WrittenAsset, WrittenChunk } from '@embed-skills/compiler/proof'
import { moduleId } from './ids.ts'
import { reportMissing, suspectsAmong } from './proof-report.ts'

/** What Rollup, Rolldown and Vite tell of a written file, as far as it is used here. */
type OutputFile =
  | {
      readonly type: 'chunk'
      readonly fileName: string
      readonly code: string
      readonly modules: Readonly<
        Record<string, { readonly renderedExports?: readonly string[]; readonly renderedLength: number }>
      >
    }
  | { readonly type: 'asset'; readonly fileName: string; readonly source: string | Uint8Array }

type OutputBundle = Readonly<Record<string, OutputFile>>

interface PluginLike {
  readonly name?: string
  readonly renderChunk?: unknown
  readonly generateBundle?: unknown
  readonly writeBundle?: unknown
}

interface Context {
  error(log: { message: string }): never
}

/** The hooks of Rollup, Rolldown and Vite. */
export interface ProofPlugin<C extends Context> {
  readonly name: string
  configResolved(config: { readonly plugins: readonly object[] }): void
  buildStart(options: { readonly plugins?: readonly object[] }): void
  readonly generateBundle: ProofHook<C>
  readonly writeBundle: ProofHook<C>
}

interface ProofHook<C> {
  readonly order: 'post'
  handler(this: C, options: unknown, bundle: OutputBundle): Promise<void>
}

/**
 * Fails a build whose chunks do not hold what was compiled into them. It looks before the files are
 * written, and again at what plugins changed as late as that.
 *
 * @param expected What the modules bring along that this build loaded, by id.
 */
export function proofPlugin<C extends Context>(
  expected: (context: C) => Promise<ReadonlyMap<string, () => ExpectedModule>>,
): ProofPlugin<C> {
  let plugins: readonly PluginLike[] = []
  const proved = new Map<string, WrittenChunk['code']>()

  const handler: ProofHook<C>['handler'] = async function (_, bundle) {
    const files = Object.values(bundle)
    const chunks = files.flatMap(toChunk).filter(({ fileName, code }) => proved.get(fileName) !== code)
    if (!chunks.length) return
    const { verifyBundle } = await import('@embed-skills/compiler/proof')
    const missing = verifyBundle(chunks, files.flatMap(toAsset), await expected(this))
    if (missing.length) this.error({ message: reportMissing(missing, suspectsAmong(plugins.map(toSuspect))) })
    for (const { fileName, code } of chunks) proved.set(fileName, code)
  }

  return {
    name: 'embed-skills:proof',
    configResolved(config) {
      plugins = config.plugins
    },
    buildStart(options) {
      if (!plugins.length) plugins = options.plugins ?? []
    },
    generateBundle: { order: 'post', handler },
    writeBundle: { order: 'post', handler },
  }
}

function toChunk(file: OutputFile): WrittenChunk[] {
  if (file.type !== 'chunk') return []
  const modules = Object.entries(file.modules).filter(([, { renderedLength }]) => renderedLength > 0)
  const held = modules.map(([id, { renderedExports }]) => [moduleId(id), renderedExports] as const)
  return [{ fileName: file.fileName, code: file.code, modules: new Map(held) }]
}

function toAsset(file: OutputFile): WrittenAsset[] {
  if (file.type !== 'asset') return []
  const { fileName, source } = file
  return [{ fileName, bytes: typeof source === 'string' ? Buffer.from(source) : source }]
}

function toSuspect(plugin: PluginLike): Parameters<typeof suspectsAmong>[0][number] {
  const { name = 'a plugin without a name', renderChunk, generateBundle, writeBundle } = plugin
  return { name, touchesChunks: Boolean(renderChunk ?? generateBundle ?? writeBundle) }
}
