import { fileURLToPath } from 'node:url'
import { claimId } from './claim.ts'
import type { Target } from './content.ts'
import { SOURCE } from './macro/compile.ts'
import { toText } from './messages.ts'
import type { EmbedSkillsOptions } from './options.ts'
import { summarize } from './rollup-like.ts'
import { Session } from './session.ts'
import { proveWith } from './webpack-proof.ts'

/**
 * webpack refuses schemes that it does not know before any plugin is asked to resolve. So every request for one
 * of our modules becomes a request of this scheme, which we serve: there are no loaders, and no virtual files.
 */
export const SCHEME = 'embed-skills'
const NAME = 'embed-skills'

/**
 * Makes webpack or Rspack ask for the modules of a session.
 *
 * @returns What reads one of them, which each of the two has to be told in its own way.
 */
function applyTo(compiler: Compiler, session: Session): (loader: LoaderContext) => Promise<string> {
  session.root = compiler.context
  const target = (): Target => targetOf(compiler)

  compiler.hooks.watchRun.tapPromise(NAME, async ({ modifiedFiles = [], removedFiles = [] }) => {
    session.invalidate([...modifiedFiles, ...removedFiles])
  })

  compiler.hooks.compilation.tap(NAME, (_, { normalModuleFactory }) => {
    normalModuleFactory.hooks.beforeResolve.tapPromise(NAME, async (data) => {
      const id = session.resolve(data.request.replace(`${SCHEME}:`, ''), `${data.context}/importer`)
      if (id !== undefined) data.request = await requestOf(session, id, target())
    })
    normalModuleFactory.hooks.resolveForScheme.for(SCHEME).tapPromise(NAME, async (data) => {
      data.path = data.resource.replace(/\?.*$/, '')
      return true
    })
  })

  // Modules that did not change are not read again, but what is wrong with them has to be said of every build.
  compiler.hooks.finishMake.tapPromise(NAME, async ({ errors, warnings }) => {
    for (const log of await session.warnings(target())) warnings.push(errorOf(toText(log)))
    for (const log of await session.errors()) errors.push(errorOf(toText(log)))
  })
  compiler.hooks.done.tapPromise(NAME, () =>
    summarize(session, (line) => compiler.getInfrastructureLogger(NAME).info(line)),
  )
  return (loader) => read(session, loader, target())
}

/**
 * Contents are known by a hash, so that a module never changes: one that did is another module. What follows
 * from more than its own contents, the index, is built anew when a file changes.
 */
async function requestOf(session: Session, id: string, target: Target): Promise<string> {
  const { id: plain, isContents } = session.find(id)
  return `${SCHEME}:${plain}${isContents ? `?${await session.version(plain, target)}` : ''}`
}

async function read(session: Session, loader: LoaderContext, target: Target): Promise<string> {
  const { code, watch, unknown } = await session.load(loader.resource.slice(SCHEME.length + 1), target)
  for (const file of watch?.files ?? []) loader.addDependency(file)
  // They are watched with all that is below them.
  for (const folder of watch?.directories ?? [])
    if (!watch!.directories.some((other) => folder.startsWith(`${other}/`)))
      loader.addContextDependency(folder)
  for (const folder of watch?.missing ?? []) loader.addMissingDependency(folder)
  if (unknown) throw errorOf(toText(unknown))
  return code
}

/** The rule that compiles the macro away: source files pass a loader before all others. */
function macroRule({ root }: Pick<Session, 'root'>): {
  test: RegExp
  enforce: 'pre'
  use: { loader: string; options: object }[]
} {
  const loader = fileURLToPath(new URL('macro-loader.js', import.meta.url))
  return { test: SOURCE, enforce: 'pre', use: [{ loader, options: { root } }] }
}

/** An error for whoever writes skills: where the plugin made it does not matter to them. */
function errorOf(text: string): Error {
  return Object.assign(new Error(text), { name: 'SkillError', stack: '', hideStack: true })
}

/** What webpack and Rspack tell of the place where the output runs. */
function targetOf({ options, platform }: Compiler): Target {
  const { target, resolve } = options
  if (resolve?.conditionNames?.includes('workerd')) return { runtime: 'workerd' }
  const named = [target].flat()
  if (platform?.node ?? named.some((name) => /^(?:async-)?node/.test(String(name))))
    return { runtime: 'server' }
  // The browsers' workers are one target with edge runtimes.
  const isBrowser = (platform?.web ?? named.includes('web')) && !named.includes('webworker')
  return isBrowser ? { runtime: 'browser' } : {}
}

/**
 * The plugin of webpack or Rspack.
 *
 * @param serve Makes the compiler read our modules with what it is given, which each of the two has to be told in
 *   its own way.
 * @throws TypeError for options of another shape.
 */
export function createPlugin<
  C extends { readonly options: { readonly module: { readonly rules: unknown[] } } },
>(
  options: EmbedSkillsOptions | undefined,
  serve: (compiler: C, read: (loader: LoaderContext) => Promise<string>) => void,
): { apply(compiler: C): void } {
  void new Session(options)
  return {
    apply(given) {
      // A session for each compiler, since a plugin may be applied to several.
      const session = new Session(options)
      const compiler = given as unknown as Compiler
      claimId(compiler, session)
      const read = applyTo(compiler, session)
      proveWith(compiler, session, SCHEME, () => targetOf(compiler))
      given.options.module.rules.push(macroRule(session))
      serve(given, read)
    },
  }
}

/** As much of a compiler as webpack and Rspack have in common. */
export interface Compiler {
  readonly context: string
  readonly options: {
    readonly mode?: unknown
    readonly devtool?: unknown
    readonly target?: unknown
    readonly resolve?: { readonly conditionNames?: readonly string[] | undefined }
  }
  readonly platform?: { readonly node?: boolean | null; readonly web?: boolean | null }
  readonly modifiedFiles?: ReadonlySet<string> | undefined
  readonly removedFiles?: ReadonlySet<string> | undefined
  readonly hooks: {
    readonly watchRun: AsyncHook<[Compiler]>
    readonly compilation: SyncHook<[Compilation, { readonly normalModuleFactory: NormalModuleFactory }]>
    readonly finishMake: AsyncHook<[Compilation]>
    readonly done: AsyncHook<[unknown]>
  }
  getInfrastructureLogger(name: string): { info(message: string): void }
}

interface Compilation {
  readonly errors: Pick<Error[], 'push'>
  readonly warnings: Pick<Error[], 'push'>
}

interface NormalModuleFactory {
  readonly hooks: {
    readonly beforeResolve: AsyncHook<[{ request: string; readonly context: string }]>
    readonly resolveForScheme: HookMap<AsyncHook<[{ readonly resource: string; path?: string }], true>>
  }
}

/** As much of what a loader sees. */
export interface LoaderContext {
  readonly resource: string
  addDependency(file: string): void
  addContextDependency(folder: string): void
  addMissingDependency(path: string): void
}

interface AsyncHook<A extends unknown[], R = void> {
  tapPromise(name: string, handler: (...args: A) => Promise<R>): void
}

interface SyncHook<A extends unknown[]> {
  tap(name: string, handler: (...args: A) => void): void
}

interface HookMap<H> {
  for(key: string): H
}
