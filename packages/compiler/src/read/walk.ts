import path from 'node:path'
import type { Dirent } from 'node:fs'
import { remember } from './disk.ts'
import type { Disk } from './disk.ts'

/** A folder of a skill with all that is in it. Skills that nest share the folders they have in common. */
export interface Folder {
  /** Absolute. */
  readonly folder: string
  /** By name. */
  readonly files: readonly { readonly name: string; readonly file: string }[]
  /** By name. */
  readonly folders: readonly { readonly name: string; readonly folder: Folder }[]
  readonly leftOut: readonly Omitted[]
}

/** Why an entry is no part of a skill; each is the id of the rule that reports it. */
export type Omission =
  | 'dot-name'
  | 'incidental-file'
  | 'node-modules'
  | 'build-output'
  | 'symlink'
  | 'special-file'
  | 'file-name'
  | 'unreadable'
  | 'main-file'

/** An entry that is left out, with everything beneath it. */
export interface Omitted {
  readonly name: string
  readonly file: string
  readonly reason: Omission
  readonly isFolder?: boolean
  /** The system's code if it could not be read: `EACCES`. */
  readonly failure?: string
}

export type Walk = (folder: string) => Promise<Folder>

/** Walks folders to the bottom, each once however often it is asked for. Symlinks are never followed. */
export function createWalk(disk: Disk, seen: Map<string, Promise<Folder>> = new Map()): Walk {
  const walk: Walk = (folder) => remember(seen, folder, visit)

  async function visit(folder: string): Promise<Folder> {
    const listing = await disk.list(folder)
    if ('failure' in listing) {
      const omitted = { name: path.basename(folder), file: folder, reason: 'unreadable' } as const
      return { folder, files: [], folders: [], leftOut: [{ ...omitted, failure: listing.failure }] }
    }
    const files: { name: string; file: string }[] = []
    const folders: Promise<{ name: string; folder: Folder }>[] = []
    const leftOut: Omitted[] = []
    const names = new Set(listing.entries.map((entry) => entry.name))
    for (const entry of listing.entries) {
      const { name } = entry
      const file = path.join(folder, name)
      const reason = omissionOf(entry, names)
      if (reason !== undefined) leftOut.push({ name, file, reason, isFolder: entry.isDirectory() })
      else if (entry.isDirectory()) folders.push(walk(file).then((below) => ({ name, folder: below })))
      else files.push({ name, file })
    }
    return { folder, files, folders: await Promise.all(folders), leftOut }
  }

  return walk
}

/**
 * Written by a file manager, or only there so that git keeps the folder: nobody misses them. And what is written from
 * the skill itself, which would never be right if it held it.
 */
const INCIDENTAL = new Set([
  '.DS_Store',
  '.gitkeep',
  '.keep',
  'Thumbs.db',
  'desktop.ini',
  'embed-skills.d.ts',
  'skills.lock.json',
])

function omissionOf(entry: Dirent, siblings: ReadonlySet<string>): Omission | undefined {
  const { name } = entry
  // Never followed, so that it cannot be included by its name either.
  if (entry.isSymbolicLink()) return 'symlink'
  if (INCIDENTAL.has(name)) return 'incidental-file'
  if (name.startsWith('.')) return 'dot-name'
  if (!entry.isFile() && !entry.isDirectory()) return 'special-file'
  if (name === 'node_modules') return 'node-modules'
  if (isBuildOutput(entry, siblings)) return 'build-output'
  return isSayable(name) ? undefined : 'file-name'
}

/** `target` is a common word, so that it counts only beside what builds into it. */
function isBuildOutput(entry: Dirent, siblings: ReadonlySet<string>): boolean {
  const { name } = entry
  if (name === '__pycache__' || /\.py[co]$/.test(name)) return true
  const builds = siblings.has('Cargo.toml') || siblings.has('pom.xml')
  return name === 'target' && entry.isDirectory() && builds
}

/** The reasons that a glob of `include` can overrule. */
export const BY_NAME: ReadonlySet<Omission> = new Set<Omission>([
  'dot-name',
  'incidental-file',
  'node-modules',
  'build-output',
])

/**
 * No control characters and no backslash, which some hosts take for a separator. A name that is not UTF-8 on
 * disk arrives with U+FFFD in it, and cannot be opened by that name; a lone surrogate comes from Windows only.
 */
export function isSayable(name: string): boolean {
  return !/[\\\uFFFD\p{Cc}\p{Surrogate}]/u.test(name)
}
