import { readFile, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { WrittenChunk } from '@embed-skills/compiler/proof'
import type { BuildResult, PartialMessage, PluginBuild } from 'esbuild'
import type { Target } from './content.ts'
import { heldModules } from './metafile.ts'
import type { Session } from './session.ts'
import { reportMissing } from './proof-report.ts'

/** What esbuild calls the only file of a build that was given no name for it. */
const STDOUT = '<stdout>'

/**
 * Fails a build of esbuild whose files do not hold what was compiled into them. Only the metafile says which
 * modules a file holds, so that one is asked for.
 */
export function proveWith(build: PluginBuild, session: Session, target: Target, namespace: string): void {
  if (!session.options.verify) return
  build.initialOptions.metafile = true
  build.onEnd(async (result): Promise<{ errors?: PartialMessage[] }> => {
    if (result.errors.length > 0 || !result.metafile) return {}
    const chunks = await written(build, result, namespace)
    if (!chunks.length) return {}
    const { verifyBundle } = await import('@embed-skills/compiler/proof')
    const missing = verifyBundle(chunks, [], await session.expected(target))
    return missing.length ? { errors: [{ text: reportMissing(missing, []) }] } : {}
  })
}

async function written(
  { initialOptions }: PluginBuild,
  { metafile, outputFiles }: BuildResult,
  namespace: string,
): Promise<WrittenChunk[]> {
  // From where the folder really is the metafile names files.
  const root = await realpath(initialOptions.absWorkingDir ?? process.cwd())
  const chunks: WrittenChunk[] = []
  for (const [fileName, modules] of heldModules(metafile!, namespace)) {
    const file = path.resolve(root, fileName)
    // What is not to be written is at hand.
    const held = outputFiles?.find(({ path }) => path === file || path === STDOUT)?.text
    chunks.push({ fileName, code: held ?? (await readFile(file, 'utf8')), modules })
  }
  return chunks
}
