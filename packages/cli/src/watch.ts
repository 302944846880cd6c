import { existsSync, watch } from 'node:fs'
import type { FSWatcher } from 'node:fs'
import path from 'node:path'

// Editors write in several steps: what comes within this many milliseconds is one change.
const PAUSE = 50

/** What calls for another build when it changes. Absolute paths; what does not exist yet is seen when it comes. */
export interface Followed {
  readonly folders: readonly string[]
  /** Single files, in folders in which other things may change. */
  readonly files: readonly string[]
}

/**
 * Runs `build` at once, and again after every change in what it gives, until `signal` aborts.
 */
export async function watchFolders(build: () => Promise<Followed>, signal: AbortSignal): Promise<void> {
  const watchers = new Map<string, FSWatcher>()
  let wanted: ReadonlyMap<string, ReadonlySet<string> | undefined> = new Map()
  let wake: (() => void) | undefined
  let isStale = true

  const changed = (): void => {
    isStale = true
    wake?.()
  }

  /** Whether a folder is new: what changed in it before it was watched was not seen. */
  function follow(followed: Followed): boolean {
    let isNew = false
    wanted = wantedIn(followed)
    for (const [folder, watcher] of watchers)
      if (!wanted.has(folder)) {
        watcher.close()
        watchers.delete(folder)
      }
    for (const folder of wanted.keys())
      if (!watchers.has(folder)) {
        const watcher = watch(folder, (_, name) => {
          const names = wanted.get(folder)
          if (names === undefined || name === null || names.has(name)) changed()
        }).on('error', () => {
          // The folder has gone; the one around it says so as well.
          watchers.delete(folder)
          changed()
        })
        watchers.set(folder, watcher)
        isNew = true
      }
    return isNew
  }

  signal.addEventListener('abort', changed, { once: true })
  while (!signal.aborted) {
    while (isStale && !signal.aborted) {
      isStale = false
      if (follow(await build())) isStale = true
    }
    const woken = new Promise<void>((resolve) => (wake = resolve))
    if (!isStale) await woken
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
  for (const watcher of watchers.values()) watcher.close()
}

/** The folders to watch, each with the names in it that matter; undefined where all do. */
function wantedIn({ folders, files }: Followed): ReadonlyMap<string, ReadonlySet<string> | undefined> {
  const wanted = new Map<string, Set<string> | undefined>()
  const add = (file: string): void => {
    const folder = path.dirname(file)
    // What is not there comes to be below the nearest folder that is.
    if (!existsSync(folder)) return add(folder)
    if (!wanted.has(folder)) wanted.set(folder, new Set())
    wanted.get(folder)?.add(path.basename(file))
  }
  for (const folder of folders) if (existsSync(folder)) wanted.set(folder, undefined)
  for (const folder of folders) if (!existsSync(folder)) add(folder)
  for (const file of files) add(file)
  return wanted
}
