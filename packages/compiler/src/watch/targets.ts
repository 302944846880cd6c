import type { FoundPattern } from '../discover/discover.ts'
import type { Disk } from '../read/disk.ts'
import { compare } from '../read/order.ts'
import { isAtOrBelow } from '../read/same.ts'
import type { WatchTargets } from '../types.ts'

/** Everything that was read, less the folders that were only passed through: a build may write there. */
export function watchTargets(found: readonly FoundPattern[], disk: Disk): WatchTargets {
  const tops = [...new Set(found.map(({ base, only }) => only ?? base))]
  const isRead = (folder: string): boolean => tops.some((top) => isAtOrBelow(folder, top))
  const listed = disk.folders().filter((folder) => !isMissing(folder, disk))
  return {
    files: disk.files().sort(compare),
    directories: listed.filter(isRead).sort(compare),
    missing: tops.filter((top) => !listed.includes(top)).sort(compare),
  }
}

function isMissing(folder: string, disk: Disk): boolean {
  const listing = disk.listed(folder)
  return listing !== undefined && 'failure' in listing && listing.failure !== 'EACCES'
}
