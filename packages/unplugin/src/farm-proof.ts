import type { Compiler, JsPlugin } from '@farmfe/core'
import type { Target } from './content.ts'
import { moduleId } from './ids.ts'
import type { Session } from './session.ts'
import { reportMissing, suspectsAmong } from './proof-report.ts'

/**
 * Fails a build of Farm whose output does not hold what was compiled into it. What tells which file holds which module
 * brings every byte along as a number, and takes seconds for megabytes; so it is found anywhere in the output.
 *
 * @param ids The modules that were loaded.
 * @throws Error if something is missing.
 */
export async function prove(
  compiler: Compiler,
  session: Session,
  target: Target,
  ids: Iterable<string>,
  plugins: readonly JsPlugin[],
): Promise<void> {
  const held = [...ids].map((id) => session.find(id).id)
  if (!held.length) return
  const { verifyBundle } = await import('@embed-skills/compiler/proof')
  const code = Object.entries(compiler.resources())
    .filter(([name]) => /\.[cm]?js$/.test(name))
    .map(([, bytes]) => bytes.toString())
  const { output } = compiler.config.config as { output?: { path?: string } }
  const chunk = {
    fileName: output?.path ?? 'dist',
    code,
    modules: new Map(held.map((id) => [moduleId(id), undefined])),
  }
  const missing = verifyBundle([chunk], [], await session.expected(target))
  const suspects = suspectsAmong(
    plugins.map(({ name, renderResourcePot, finalizeResources }) => ({
      name,
      touchesChunks: Boolean(renderResourcePot ?? finalizeResources),
    })),
  )
  if (missing.length) throw new Error(reportMissing(missing, suspects))
}
