import type { FoundPattern } from './discover/discover.ts'
import type { ResolvedSource } from './options.ts'
import type { Refreshed } from './read/disk.ts'
import { isAtOrBelow } from './read/same.ts'
import type { SkillDraft } from './read/skill.ts'
import type { Folder } from './read/walk.ts'
import type { WatchTargets } from './types.ts'

/** What a source came to before its skills were read. It holds as long as no folder's listing changes. */
export interface Discovered {
  readonly found: readonly FoundPattern[]
  readonly ignored: ReadonlySet<string>
  /** What `SKILL.md` is called in each folder where it has another name. */
  readonly mainFiles: ReadonlyMap<string, string>
}

/** What one compilation leaves to the next. */
export interface Memory {
  readonly walked: Map<string, Promise<Folder>>
  readonly discovered: Map<ResolvedSource, Discovered>
  /** By folder and skill path. */
  readonly drafts: Map<string, KeptDraft>
  /** Whether `discovered` is only there to compare with. */
  isRelisted: boolean
  watch: WatchTargets | undefined
}

/** A draft and what it rests upon. */
export interface KeptDraft extends Omit<Discovered, 'found'> {
  readonly tree: Folder
  readonly draft: SkillDraft
}

export function createMemory(): Memory {
  return { walked: new Map(), discovered: new Map(), drafts: new Map(), isRelisted: false, watch: undefined }
}

/** Drops everything that rests upon what changed. */
export function forget(memory: Memory, { files, folders }: Refreshed): void {
  for (const folder of memory.walked.keys()) {
    const isStale = (path: string): boolean => isAtOrBelow(path, folder) || isAtOrBelow(folder, path)
    if (files.some(isStale) || folders.some(isStale)) memory.walked.delete(folder)
  }
  if (folders.length > 0) memory.watch = undefined
  memory.isRelisted = folders.length > 0
}

/** With the parts of `before` that say the same, so that what rests upon them still holds. */
export function keepParts(before: Discovered | undefined, after: Discovered): Discovered {
  if (before === undefined) return after
  const { ignored, mainFiles } = before
  const sameIgnored =
    ignored.size === after.ignored.size && [...after.ignored].every((path) => ignored.has(path))
  const sameNames =
    mainFiles.size === after.mainFiles.size &&
    [...after.mainFiles].every(([folder, name]) => mainFiles.get(folder) === name)
  return { ...after, ...(sameIgnored && { ignored }), ...(sameNames && { mainFiles }) }
}
