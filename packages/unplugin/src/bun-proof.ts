import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { WrittenChunk } from '@embed-skills/compiler/proof'
import type { BunBuilder } from './bun.ts'
import type { Target } from './content.ts'
import { heldModules } from './metafile.ts'
import type { Metafile } from './metafile.ts'
import type { Session } from './session.ts'
import { reportMissing } from './proof-report.ts'

/** As much of Bun's `BuildOutput`. */
export interface BuildResult {
  readonly success: boolean
  readonly outputs: readonly { readonly path: string; text(): Promise<string> }[]
  readonly metafile?: Metafile
}

/**
 * Fails a build of Bun whose files do not hold what was compiled into them. It is told of them when they are written.
 * Only the metafile says which modules a file holds, so that one is asked for.
 */
export function proveWith(build: BunBuilder, session: Session, target: Target, namespace: string): void {
  if (!session.options.verify || !build.onEnd) return
  build.config.metafile = true
  build.onEnd(async (result) => {
    if (!result.success || !result.metafile) return
    const chunks = await written(result, build.config.outdir, namespace)
    if (!chunks.length) return
    const { verifyBundle } = await import('@embed-skills/compiler/proof')
    const missing = verifyBundle(chunks, [], await session.expected(target))
    if (missing.length) throw new Error(reportMissing(missing, []))
  })
}

async function written(
  { outputs, metafile }: BuildResult,
  folder: string | undefined,
  namespace: string,
): Promise<WrittenChunk[]> {
  // Names in the metafile are relative to the output's folder; without one nothing is written.
  const resolve = (file: string): string => path.resolve(folder ?? '.', file)
  const byFile = new Map(outputs.map((output) => [resolve(output.path), output]))
  const chunks: WrittenChunk[] = []
  for (const [fileName, modules] of heldModules(metafile!, namespace)) {
    const output = byFile.get(resolve(fileName))
    if (!output) continue
    const code = folder === undefined ? await output.text() : await readFile(resolve(fileName), 'utf8')
    chunks.push({ fileName, code, modules })
  }
  return chunks
}
