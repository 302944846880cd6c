import { setTimeout } from 'node:timers/promises'
import { FolderWatcher } from '@embed-skills/compiler'
import type { Compiler, Server } from '@farmfe/core'
import type { Target } from './content.ts'
import { toText } from './messages.ts'
import type { Session } from './session.ts'

/** Milliseconds between looks at whether Farm is at rest. */
const PACE = 20

/**
 * Watches skills for Farm, whose own watcher tells of edits alone. An update that fails leaves those that wait behind it
 * undone, and ends the process if it was one of those. So Farm is not told of the files: skills are compiled first, and
 * Farm updates the modules that changed when all is well.
 */
export class FarmWatch {
  compiler: Compiler | undefined
  /** The dev server, if there is one. */
  server: Server | undefined
  readonly #session: Session
  readonly #target: Target
  /** What Farm has, by id. */
  readonly #loaded = new Map<string, { readonly path: string; readonly version: string }>()
  readonly #watcher: FolderWatcher
  #said = ''

  constructor(session: Session, target: Target) {
    this.#session = session
    this.#target = target
    this.#watcher = new FolderWatcher((changed) =>
      this.#compile(changed).catch((error: unknown) => console.error(error)),
    )
  }

  close(): void {
    this.#watcher.close()
  }

  /**
   * Farm has loaded a module as it is now.
   *
   * @param path What Farm knows it by.
   * @param isIndex Whether there is more to watch because of it.
   */
  async take(id: string, path: string, isIndex: boolean): Promise<void> {
    this.#loaded.set(id, { path, version: await this.#session.version(id, this.#target) })
    if (isIndex) this.#watcher.watch(await this.#session.watchTargets())
  }

  async #compile(changed: readonly string[]): Promise<void> {
    const session = this.#session
    session.invalidate(changed)
    this.#watcher.watch(await session.watchTargets())
    const errors = (await session.errors()).map(toText).join('\n\n')
    // Whatever changes next, it is no news.
    if (errors && errors !== this.#said) console.error(`[embed-skills] ${errors}`)
    this.#said = errors
    if (errors) return
    for (const log of await session.warnings(this.#target)) console.warn(`[embed-skills] ${toText(log)}`)
    const stale = await this.#stale()
    if (stale.length > 0) await this.#update(stale)
  }

  /** The modules that changed. Farm does not survive the update of one that the same update takes away. */
  async #stale(): Promise<string[]> {
    const stale: string[] = []
    for (const [id, { path, version }] of this.#loaded) {
      if (!(await this.#session.has(id))) this.#loaded.delete(id)
      else if ((await this.#session.version(id, this.#target)) !== version) stale.push(path)
    }
    return stale
  }

  async #update(paths: string[]): Promise<void> {
    const { compiler, server } = this
    if (!compiler) return
    while (compiler.compiling) await setTimeout(PACE, undefined, { ref: false })
    if (server) return server.hmrEngine?.hmrUpdate(paths, true)
    await compiler.update(paths, true)
    compiler.writeResourcesToDisk()
  }
}

const running = new Map<string, FarmWatch>()

/**
 * The watch of a plugin. It takes the place of one for the same output: Farm starts anew when its configuration changes,
 * and does not tell plugins that they are done with.
 */
export function startWatch(output: string, session: Session, target: Target): FarmWatch {
  running.get(output)?.close()
  const watch = new FarmWatch(session, target)
  running.set(output, watch)
  return watch
}
