import type { Dirent } from 'node:fs'
import path from 'node:path'
import type { Listing, Reading } from './disk.ts'

/** Whether `target` is `folder` or lies below it; absolute paths. */
export function isAtOrBelow(target: string, folder: string): boolean {
  return target.startsWith(folder) && (target.length === folder.length || target[folder.length] === path.sep)
}

export function sameListing(a: Listing, b: Listing): boolean {
  if ('failure' in a || 'failure' in b) return 'failure' in a && 'failure' in b && a.failure === b.failure
  return (
    a.entries.length === b.entries.length &&
    a.entries.every((entry, i) => kindOf(entry) === kindOf(b.entries[i]!))
  )
}

function kindOf(entry: Dirent): string {
  return `${entry.name}/${entry.isFile()}${entry.isDirectory()}${entry.isSymbolicLink()}`
}

export function sameReading(a: Reading, b: Reading): boolean {
  if ('failure' in a || 'failure' in b) return 'failure' in a && 'failure' in b && a.failure === b.failure
  return Buffer.compare(a.bytes, b.bytes) === 0
}
