import { FolderWatcher } from '@embed-skills/compiler'
import type { WatchTargets } from '@embed-skills/compiler'

/**
 * Runs `build` at once, and again after every change in what it gives, until `signal` aborts.
 */
export async function watchFolders(build: () => Promise<WatchTargets>, signal: AbortSignal): Promise<void> {
  let wake = (): void => undefined
  const watcher = new FolderWatcher(async () => wake(), true)
  signal.addEventListener('abort', () => wake(), { once: true })
  try {
    while (!signal.aborted) {
      // Waited for from before the build on: what changes meanwhile calls for another one.
      const change = new Promise<void>((resolve) => (wake = resolve))
      watcher.watch(await build())
      await change
    }
  } finally {
    watcher.close()
  }
}
