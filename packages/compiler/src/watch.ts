import path from 'node:path'
import type { FoundPattern } from './discover/discover.ts'
import type { Disk } from './read/disk.ts'
import { compare } from './read/order.ts'
import type { WatchTargets } from './types.ts'

/** Everything that was read, and for a folder that does not exist yet the nearest one that does. */
export async function watchTargets(found: readonly FoundPattern[], disk: Disk): Promise<WatchTargets> {
  for (const { base } of found) {
    let at = base
    while ('failure' in (await disk.list(at)) && at !== path.dirname(at)) at = path.dirname(at)
  }
  return {
    files: disk.files().sort(compare),
    directories: disk
      .folders()
      .filter((folder) => !isMissing(folder, disk))
      .sort(compare),
  }
}

function isMissing(folder: string, disk: Disk): boolean {
  const listing = disk.listed(folder)
  return listing !== undefined && 'failure' in listing && listing.failure !== 'EACCES'
}
