import type { FoundPattern } from './discover/discover.ts'
import type { Selection } from './discover/select.ts'
import type { ResolvedSource } from './options.ts'
import type { Refreshed } from './read/disk.ts'
import { isAtOrBelow } from './read/same.ts'
import type { Scope, SkillDraft } from './read/skill.ts'
import type { Folder } from './read/walk.ts'
import type { WatchTargets } from './types.ts'

/** What a source came to before its skills were read. It holds as long as no folder's listing changes. */
export interface Discovered extends Scope {
  readonly found: readonly FoundPattern[]
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

/** A draft and what it rests upon; what is hidden in its folder changes the tree. */
export interface KeptDraft extends Pick<Scope, 'selection' | 'mainFiles'> {
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
  const { selection, mainFiles } = before
  const sameNames =
    mainFiles.size === after.mainFiles.size &&
    [...after.mainFiles].every(([folder, name]) => mainFiles.get(folder) === name)
  return {
    ...after,
    ...(isSameSelection(selection, after.selection) && { selection }),
    ...(sameNames && { mainFiles }),
  }
}

function isSameSelection(a: Selection, b: Selection): boolean {
  const parts = ['ignored', 'included', 'binary'] as const
  return parts.every((part) => isSameSet(a[part], b[part]))
}

function isSameSet(a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a.size === b.size && [...b].every((path) => a.has(path))
}
