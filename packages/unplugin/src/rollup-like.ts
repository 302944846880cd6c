import path from 'node:path'
import type { WatchTargets } from '@embed-skills/compiler'
import { claimId } from './claim.ts'
import type { Target } from './content.ts'
import { fileOf, resolvedId } from './ids.ts'
import type { TransformContext } from './macro/rollup-like.ts'
import { MACRO_CODE, transform } from './macro/rollup-like.ts'
import type { Transformed } from './macro/transform.ts'
import type { Log } from './messages.ts'
import type { EmbedSkillsOptions } from './options.ts'
import type { ProofPlugin } from './proof.ts'
import { proofPlugin } from './proof.ts'
import { Session } from './session.ts'

/** As much of a plugin context as Rollup, Rolldown and Vite have in common. */
export interface Context {
  readonly meta: { readonly watchMode?: boolean }
  addWatchFile(file: string): void
  error(log: Log): never
  warn(log: Log): void
  info(log: string): void
  resolve(source: string, importer?: string, options?: { skipSelf?: boolean }): Promise<{ id: string } | null>
}

/** What resolves, loads and watches the modules of all sets. */
interface SetPlugin {
  readonly name: string
  buildStart(options: object): void
  readonly resolveId: ResolveHook
  readonly load: {
    readonly filter: { readonly id: RegExp[] }
    handler(this: Context, id: string): Promise<{ code: string; moduleType: 'js'; map: null } | null>
  }
  watchChange(file: string): void
  buildEnd(this: Context, error?: Error): Promise<void>
}

interface ResolveHook {
  readonly order: 'pre'
  readonly filter: { readonly id: RegExp[] }
  handler(this: Context, id: string, importer?: string): Promise<string | undefined>
}

interface MacroPlugin {
  readonly name: string
  readonly transform: {
    readonly filter: { readonly code: RegExp }
    handler(this: TransformContext, code: string, id: string): { code: string; map: string } | undefined
  }
}

/**
 * The plugins for Rollup and Rolldown, which tell nothing of where their output runs.
 *
 * @throws TypeError for options of another shape.
 */
export function createPlugins(
  options: EmbedSkillsOptions | undefined,
): (SetPlugin | MacroPlugin | ProofPlugin<Context>)[] {
  const session = new Session(options)
  const prove = proofPlugin<Context>(() => session.expected({}))
  return [setPlugin(session), macroPlugin(session), ...(session.options.verify ? [prove] : [])]
}

function setPlugin(session: Session): SetPlugin {
  return {
    name: 'embed-skills',
    buildStart(options) {
      claimId(options, session)
    },
    resolveId: resolveHook(session),
    load: {
      filter: { id: session.ids },
      async handler(id) {
        // Older versions of Rollup know no filters.
        if (!session.ids.some((filter) => filter.test(id))) return null
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

export function resolveHook(session: Session): ResolveHook {
  return {
    order: 'pre',
    filter: { id: session.requests },
    handler(id, importer) {
      return resolveId(session, this, id, importer)
    },
  }
}

/**
 * Compiles `embedSkills('./skills/*')` away.
 *
 * @param onCall Takes what was made of a file with calls.
 */
export function macroPlugin(session: Session, onCall?: (transformed: Transformed) => void): MacroPlugin {
  return {
    name: 'embed-skills:macro',
    transform: {
      filter: { code: MACRO_CODE },
      handler(code, id) {
        const transformed = transform(this, code, id, session.root)
        if (!transformed) return undefined
        onCall?.(transformed)
        return { code: transformed.code, map: transformed.map.toString() }
      },
    },
  }
}

async function resolveId(
  session: Session,
  context: Context,
  request: string,
  importer: string | undefined,
): Promise<string | undefined> {
  const id = session.resolve(request, importer)
  if (id !== undefined) return resolvedId(id)
  if (!session.requests.some((filter) => filter.test(request))) return undefined
  // An alias, or a file of a package.
  const file = await context.resolve(fileOf(request), importer, { skipSelf: true })
  return file && path.isAbsolute(file.id) ? resolvedId(session.single(fileOf(file.id))) : undefined
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
