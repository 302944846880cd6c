import path from 'node:path'
import type { WatchTargets } from '@embed-skills/compiler'
import type { Target } from './content.ts'
import { moduleId, resolvedId } from './ids.ts'
import type { Log } from './messages.ts'
import type { Session } from './session.ts'

/** As much of a plugin context as Rollup, Rolldown and Vite have in common. */
export interface Context {
  readonly meta: { readonly watchMode?: boolean }
  addWatchFile(file: string): void
  error(log: Log): never
  warn(log: Log): void
  info(log: string): void
  resolve(source: string, importer?: string, options?: { skipSelf?: boolean }): Promise<{ id: string } | null>
}

export async function resolveId(
  session: Session,
  context: Context,
  request: string,
  importer: string | undefined,
): Promise<string | undefined> {
  const id = session.resolve(request, importer)
  if (id !== undefined) return resolvedId(id)
  if (!session.requests.some((filter) => filter.test(request))) return undefined
  // An alias, or a file of a package.
  const file = await context.resolve(moduleId(request), importer, { skipSelf: true })
  return file && path.isAbsolute(file.id) ? resolvedId(session.single(moduleId(file.id))) : undefined
}

/** Takes the files and folders that a module depends on. */
export type Watch = (targets: WatchTargets) => void

/** @param watch What watches, in a watch mode. */
export async function load(
  session: Session,
  context: Context,
  id: string,
  target: Target,
  watch: Watch | undefined,
): Promise<string> {
  const { code, watch: targets, error, unknown } = await session.load(id, target)
  if (targets) watch?.(targets)
  for (const warning of await session.warnings(target, id)) context.warn(warning)
  const fault = error ?? unknown
  return fault ? context.error(fault) : code
}

/** How Rollup and its kin are told of what to watch: files are known to them, and folders show new ones. */
export function watcherOf(context: Context): Watch | undefined {
  if (!context.meta.watchMode) return undefined
  return ({ files, directories, missing }) => {
    for (const file of [...files, ...directories, ...missing]) context.addWatchFile(file)
  }
}

export async function summarize(session: Session, say: (line: string) => void): Promise<void> {
  for (const line of await session.summaries()) say(line)
}
