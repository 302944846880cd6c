import type { FSWatcher } from 'node:fs'
import { existsSync, statSync, watch } from 'node:fs'
import path from 'node:path'
import type { WatchTargets } from '@embed-skills/compiler'

/** Milliseconds without an event until changes are told: editors write a file by several. */
const QUIET = 30

interface Watched {
  readonly watcher: FSWatcher
  /** Tells a folder from another that has come to stand at its place. */
  readonly identity: string
}

/**
 * Watches the folders of skills, for bundlers whose own watcher tells of edits alone. It keeps no process alive.
 *
 * @param onChange Takes what changed, absolute, when it is quiet again. It is not called again before it has ended.
 */
export class FolderWatcher {
  readonly #onChange: (changed: readonly string[]) => Promise<void>
  readonly #folders = new Map<string, Watched>()
  #missing: readonly string[] = []
  #changed = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isClosed = false

  constructor(onChange: (changed: readonly string[]) => Promise<void>) {
    this.#onChange = onChange
  }

  /**
   * Watches these and no others. What happened in a folder before it was watched may have been missed, so that folders
   * that are new count as changed.
   */
  watch({ files, directories, missing }: WatchTargets): void {
    if (this.#isClosed) return
    this.#missing = missing
    const wanted = new Set(
      [...directories, ...files.map((file) => path.dirname(file)), ...missing].map(nearestFolder),
    )
    for (const folder of this.#folders.keys()) if (!wanted.has(folder)) this.#release(folder)
    for (const folder of wanted) if (this.#take(folder)) this.#note(folder)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const folder of this.#folders.keys()) this.#release(folder)
  }

  /** Whether the folder was not watched before. */
  #take(folder: string): boolean {
    const stats = statSync(folder, { throwIfNoEntry: false })
    // The number alone may be given to the next folder.
    const identity = `${stats?.ino} ${stats?.birthtimeMs}`
    if (!stats || this.#folders.get(folder)?.identity === identity) return false
    this.#release(folder)
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      // Without a name, or with its own, it may be the folder itself that went.
      if (name === null || name === path.basename(folder)) this.#release(folder)
      this.#note(name === null ? folder : path.join(folder, name))
    })
    watcher.on('error', () => this.#release(folder))
    this.#folders.set(folder, { watcher, identity })
    return true
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
    this.#timer = setTimeout(() => this.#tell(), QUIET).unref()
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

/** The folder, or the nearest one above it that exists: nothing else can be watched. */
export function nearestFolder(folder: string): string {
  return existsSync(folder) || folder === path.dirname(folder) ? folder : nearestFolder(path.dirname(folder))
}
