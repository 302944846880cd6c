import type { Dirent, Stats } from 'node:fs'
import type fg from 'fast-glob'
import path from 'node:path'
import type { Disk } from '../read/disk.ts'

type FileSystem = Partial<fg.FileSystemAdapter>
type Entry = Omit<Dirent, 'path' | 'parentPath'>
type Done<T> = (error: NodeJS.ErrnoException | null, result?: T) => void

/**
 * The disk as fast-glob sees it when it looks for folders. It shares its listings with the walk that follows,
 * so that no folder is listed twice; files are hidden from it, since matching them takes most of its time; and
 * so is `node_modules`, unless the fixed part of a glob leads there.
 */
export function globFiles(disk: Disk): { fs: FileSystem; asked: () => string[] } {
  const asked: string[] = []
  const readdir = (folder: string, _options: unknown, done: Done<Dirent[]>): void => {
    const absolute = path.resolve(folder)
    asked.push(absolute)
    void disk.list(absolute).then((listing) => {
      if ('failure' in listing) return done(systemError(listing.failure))
      done(
        null,
        listing.entries.filter((entry) => !entry.isFile() && entry.name !== 'node_modules'),
      )
    })
  }
  return { fs: { readdir } as FileSystem, asked: () => asked }
}

/**
 * What has been listed so far, and the way to it, as if there were nothing else on the disk: globs of what to
 * ignore are matched against it, and start no walk of their own.
 */
export function listedFiles(disk: Disk, folders: readonly string[]): FileSystem {
  const ways = new Map<string, Set<string>>()
  for (const folder of folders) {
    for (let at = folder; at !== path.dirname(at); at = path.dirname(at)) {
      const parent = path.dirname(at)
      const names = ways.get(parent) ?? new Set()
      ways.set(parent, names.add(path.basename(at)))
    }
  }
  const inside = (folder: string): boolean =>
    folders.some((top) => folder === top || folder.startsWith(top + path.sep))

  const entriesOf = (folder: string): readonly Entry[] => {
    const listing = inside(folder) ? disk.listed(folder) : undefined
    if (listing !== undefined) return 'entries' in listing ? listing.entries : []
    return [...(ways.get(folder) ?? [])].map(folderNamed)
  }
  return {
    readdir: ((folder: string, _options: unknown, done: Done<unknown>) =>
      done(null, entriesOf(path.resolve(folder)))) as unknown as fg.FileSystemAdapter['readdir'],
    lstat: ((file: string, done: Done<Stats>) => {
      const absolute = path.resolve(file)
      const entry = entriesOf(path.dirname(absolute)).find(({ name }) => name === path.basename(absolute))
      if (entry === undefined) done(systemError('ENOENT'))
      else done(null, entry as unknown as Stats)
    }) as fg.FileSystemAdapter['lstat'],
  }
}

function folderNamed(name: string): Entry {
  const no = (): boolean => false
  return {
    name,
    isDirectory: () => true,
    isFile: no,
    isSymbolicLink: no,
    isFIFO: no,
    isSocket: no,
    isBlockDevice: no,
    isCharacterDevice: no,
  }
}

function systemError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code })
}
