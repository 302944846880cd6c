import { watch } from 'node:fs'
import type { FSWatcher } from 'node:fs'

// Editors write in several steps: what comes within this many milliseconds is one change.
const PAUSE = 50

/**
 * Runs `build` at once, and again after every change in the folders that it gives, until `signal` aborts.
 */
export async function watchFolders(
  build: () => Promise<readonly string[]>,
  signal: AbortSignal,
): Promise<void> {
  const watchers = new Map<string, FSWatcher>()
  let wake: (() => void) | undefined
  let isStale = true

  const changed = (): void => {
    isStale = true
    wake?.()
  }

  /** Whether a folder is new: what changed in it before it was watched was not seen. */
  function follow(folders: readonly string[]): boolean {
    let isNew = false
    for (const [folder, watcher] of watchers)
      if (!folders.includes(folder)) {
        watcher.close()
        watchers.delete(folder)
      }
    for (const folder of folders)
      if (!watchers.has(folder)) {
        const watcher = watch(folder, changed).on('error', () => {
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
