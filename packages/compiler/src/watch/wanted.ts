import { existsSync } from 'node:fs'
import path from 'node:path'
import type { WatchTargets } from '../types.ts'

/** The folders to watch, each with the names in it that matter; undefined where all do. */
export type WantedFolders = ReadonlyMap<string, ReadonlySet<string> | undefined>

/** The folders in which a change of these is seen. What is not there comes to be below the nearest one that is. */
export function wantedFolders({ files, directories, missing }: WatchTargets): WantedFolders {
  const wanted = new Map<string, Set<string> | undefined>()
  const addName = (file: string): void => {
    const folder = nearestFolder(path.dirname(file))
    if (!wanted.has(folder)) wanted.set(folder, new Set())
    wanted.get(folder)?.add(path.relative(folder, file).split(path.sep)[0]!)
  }
  const folders = [...directories, ...missing]
  const isThere = new Set(folders.filter((folder) => existsSync(folder)))
  for (const folder of isThere) wanted.set(folder, undefined)
  for (const folder of folders) if (!isThere.has(folder)) addName(folder)
  for (const file of files) addName(file)
  return wanted
}

/** The folder, or the nearest one above it that exists: nothing else can be watched. */
export function nearestFolder(folder: string): string {
  return existsSync(folder) || folder === path.dirname(folder) ? folder : nearestFolder(path.dirname(folder))
}
