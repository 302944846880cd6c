import { rmdir } from 'node:fs/promises'
import path from 'node:path'

/** Removes a folder if it is empty by now, and then those around it, up to one that stays; absolute paths. */
export async function removeEmpty(folder: string, end: string): Promise<void> {
  for (let at = folder; at !== end; at = path.dirname(at))
    try {
      await rmdir(at)
    } catch {
      return
    }
}
