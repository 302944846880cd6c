import type { FSWatcher } from 'node:fs'
import { statSync, watch } from 'node:fs'
import path from 'node:path'
import type { WatchTargets } from '../types.ts'
import type { WantedFolders } from './wanted.ts'
import { wantedFolders } from './wanted.ts'

/** Milliseconds without an event until changes are told: editors write a file by several. */
const QUIET = 30

interface Watched {
  readonly watcher: FSWatcher
  /** Tells a folder from another that has come to stand at its place. */
  readonly identity: string
}

/**
 * Watches what was compiled, where no bundler does so, or tells of edits alone.
 *
 * @param onChange Takes what changed, absolute, when it is quiet again. It is not called again before it has ended.
 * @param keepsAlive Whether the process goes on for as long as something is watched; it does not unless told.
 *
 * @example
 * const watcher = new FolderWatcher(async (changed) => {
 *   const { watch } = await compiler.compile(changed)
 *   watcher.watch(watch)
 * })
 */
export class FolderWatcher {
  readonly #onChange: (changed: readonly string[]) => Promise<void>
  readonly #keepsAlive: boolean
  readonly #folders = new Map<string, Watched>()
  #wanted: WantedFolders = new Map()
  #missing: readonly string[] = []
  #changed = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isClosed = false

  constructor(onChange: (changed: readonly string[]) => Promise<void>, keepsAlive = false) {
    this.#onChange = onChange
    this.#keepsAlive = keepsAlive
  }

  /**
   * Watches these and no others: all that directories hold, and of other folders the files alone. What happened in a
   * folder before it was watched may have been missed, so that folders that are new count as changed.
   */
  watch(targets: WatchTargets): void {
    if (this.#isClosed) return
    this.#missing = targets.missing
    this.#wanted = wantedFolders(targets)
    for (const folder of this.#folders.keys()) if (!this.#wanted.has(folder)) this.#release(folder)
    for (const folder of this.#wanted.keys()) if (this.#take(folder)) this.#note(folder)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const folder of this.#folders.keys()) this.#release(folder)
  }

  /** Whether the folder was not watched before, or has gone since. */
  #take(folder: string): boolean {
    const stats = statSync(folder, { throwIfNoEntry: false })
    if (!stats) return true
    // The number alone may be given to the next folder.
    const identity = `${stats.ino} ${stats.birthtimeMs}`
    if (this.#folders.get(folder)?.identity === identity) return false
    this.#release(folder)
    const watcher = watch(folder, { persistent: this.#keepsAlive }, (_, name) => this.#hear(folder, name))
    watcher.on('error', () => this.#hear(folder, null))
    this.#folders.set(folder, { watcher, identity })
    return true
  }

  /** Something happened to what has this name in the folder. */
  #hear(folder: string, name: string | null): void {
    // Without a name, or with its own, it may be the folder itself that went.
    const mayHaveGone = name === null || name === path.basename(folder)
    if (mayHaveGone) this.#release(folder)
    else if (this.#wanted.get(folder)?.has(name) === false) return
    this.#note(name === null ? folder : path.join(folder, name))
  }

  #release(folder: string): void {
    this.#folders.get(folder)?.watcher.close()
    this.#folders.delete(folder)
  }

  #note(file: string): void {
    if (this.#isClosed) return
    this.#changed.add(file)
    // What is waited for may have come with the folder that it is in.
    for (const folder of this.#missing) if (folder.startsWith(file + path.sep)) this.#changed.add(folder)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#tell(), QUIET)
    if (!this.#keepsAlive) this.#timer.unref()
  }

  /** What comes meanwhile is told when this has ended. */
  #tell(): void {
    if (this.#running) return
    const changed = [...this.#changed]
    this.#changed = new Set()
    this.#running = this.#onChange(changed).finally(() => {
      this.#running = undefined
      if (this.#changed.size > 0 && !this.#isClosed) this.#tell()
    })
  }
}
