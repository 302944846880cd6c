import path from 'node:path'
import type { FoundFolder } from '../discover/discover.ts'
import type { Selection } from '../discover/select.ts'
import type { SkillFile } from '../types.ts'
import type { ReadContent } from './content.ts'
import type { Hidden } from './hidden.ts'
import { isTextType, mimeType } from './mime.ts'
import { compare } from './order.ts'
import { childUri, skillUri } from './uri.ts'
import { BY_NAME, isSayable } from './walk.ts'
import type { Folder, Omission, Walk } from './walk.ts'

/** A skill as far as it could be read; the rules say what it lacks. */
export interface SkillDraft {
  /** `acme/billing/refunds` */
  readonly path: string
  /** The last segment of `path`. */
  readonly name: string
  /** Absolute. */
  readonly folder: string
  /** The folder relative to the root, with `/` between segments. */
  readonly location: string
  /** How many of the path's segments come from the source's `prefix`. */
  readonly prefixed: number
  /** The glob's fixed part, relative to the root. */
  readonly base: string
  /** What its `SKILL.md` is called on disk. */
  readonly mainFile: string
  /** Without `SKILL.md` undefined, and if no URI can say the path. */
  readonly uri: string | undefined
  readonly files: readonly SkillFile[]
  readonly emptyDirectories: readonly string[]
  readonly leftOut: readonly LeftOut[]
  /** Names at the top of the folder: what is there instead of a `SKILL.md`. */
  readonly top: readonly string[]
  /** Folders below that have a `SKILL.md`, for a folder that has none. */
  readonly nested: readonly string[]
  /** The bytes of the `SKILL.md`, if there is one. */
  readonly skillMd: Uint8Array | undefined
  /** Binary files that the source does not allow, as paths below the folder. */
  readonly denied: readonly string[]
}

/** Something in the folder that the skill does not hold. */
export interface LeftOut {
  /** Relative to the root. */
  readonly file: string
  readonly reason: Omission
  readonly failure?: string
}

export interface SkillReader {
  readonly root: string
  readonly walk: Walk
  readonly content: ReadContent
}

/** What a source says about the folders of its skills. */
export interface Scope {
  readonly selection: Selection
  readonly hidden: Hidden
  /** What `SKILL.md` is called in each folder where it has another name, by absolute path. */
  readonly mainFiles: ReadonlyMap<string, string>
}

/** Reads a skill's folder, as far as the globs of its source select. */
export async function readSkill(
  found: FoundFolder,
  scope: Scope,
  { root, walk, content }: SkillReader,
): Promise<SkillDraft> {
  const tree = await walk(found.folder)
  const rootUri = skillUri(found.path)
  const flat = flatten(tree, rootUri ?? 'skill://unsayable', scope)
  const { binary } = scope.selection

  const skillMd = flat.files.find((file) => file.path === 'SKILL.md')
  // Without a SKILL.md nothing is served, so nothing is read: the folder may be anything.
  const wanted = skillMd === undefined ? [] : flat.files
  const read = await Promise.all(wanted.map(async (entry) => ({ entry, held: await content(entry.file) })))

  const files: SkillFile[] = []
  const leftOut = [...flat.leftOut]
  const denied: string[] = []
  let manifest: Uint8Array | undefined
  for (const { entry, held } of read) {
    if ('failure' in held) {
      leftOut.push({ file: entry.file, reason: 'unreadable', failure: held.failure })
      continue
    }
    if (entry === skillMd) manifest = held.bytes
    const { path: below, uri } = entry
    const { bytes, digest, size, kind } = held
    const type = mimeType(path.posix.basename(below))
    files.push({ path: below, uri, mimeType: type, bytes, digest, size, kind })
    const isBinary = kind === 'blob' || !isTextType(type)
    if (binary !== undefined && isBinary && !binary.has(entry.file)) denied.push(below)
  }

  return {
    path: found.path,
    name: found.path.slice(found.path.lastIndexOf('/') + 1),
    folder: found.folder,
    location: relativeTo(root, found.folder),
    prefixed: found.prefixed,
    base: relativeTo(root, found.base),
    mainFile: found.mainFile,
    uri: rootUri === undefined || manifest === undefined ? undefined : `${rootUri}/SKILL.md`,
    files: files.sort(manifestFirst),
    emptyDirectories: flat.empty.sort((a, b) => compare(a.uri, b.uri)).map((folder) => folder.path),
    leftOut: leftOut.map((entry) => ({ ...entry, file: relativeTo(root, entry.file) })),
    top: [...tree.files, ...tree.folders].map((entry) => entry.name),
    nested:
      skillMd === undefined ? flat.files.filter(isSkillMd).map((file) => path.posix.dirname(file.path)) : [],
    skillMd: manifest,
    denied,
  }
}

function isSkillMd(file: { path: string }): boolean {
  return file.path.endsWith('/SKILL.md')
}

function manifestFirst(a: SkillFile, b: SkillFile): number {
  if (a.path === 'SKILL.md') return -1
  if (b.path === 'SKILL.md') return 1
  return compare(a.uri, b.uri)
}

/** `packages/x/skills`, or `.` for the root itself. */
export function relativeTo(root: string, target: string): string {
  return path.relative(root, target).split(path.sep).join('/') || '.'
}

interface Flat {
  readonly files: { path: string; uri: string; file: string }[]
  readonly empty: { path: string; uri: string }[]
  readonly leftOut: { file: string; reason: Omission; failure?: string }[]
}

/** The tree as lists, every path and URI counted from the skill's folder. */
function flatten(tree: Folder, rootUri: string, { selection, hidden, mainFiles }: Scope): Flat {
  const { ignored, included } = selection
  const flat: Flat = { files: [], empty: [], leftOut: [] }

  /** `only` is true below a folder that is left out by its name: there, only what is included counts. */
  const visit = (folder: Folder, prefix: string, uri: string, only: boolean): void => {
    let kept = 0
    const keep = (name: string, file: string, use: (path: string, uri: string) => void): void => {
      if (ignored.has(file)) return
      const below = isSayable(name) ? childUri(uri, name) : undefined
      if (below === undefined) {
        flat.leftOut.push({ file, reason: 'file-name' })
        return
      }
      kept++
      use(prefix + name, below)
    }
    for (const { name, file, reason, failure } of folder.leftOut) {
      const inner = hidden.get(file)
      if (BY_NAME.has(reason) && included.has(file)) {
        keep(name, file, (below, uri) => flat.files.push({ path: below, uri, file }))
      } else if (inner !== undefined && holdsAny(inner, included)) {
        keep(name, file, (below, uri) => visit(inner, `${below}/`, uri, true))
      } else if (!only && !ignored.has(file)) {
        flat.leftOut.push({ file, reason, ...(failure !== undefined && { failure }) })
      }
    }
    const mainFile = mainFiles.get(folder.folder)
    const isRenamed = mainFile !== 'SKILL.md' && folder.files.some(({ name }) => name === mainFile)
    for (const { name, file } of folder.files) {
      if (only && !included.has(file)) continue
      if (isRenamed && name === 'SKILL.md') {
        if (!ignored.has(file)) flat.leftOut.push({ file, reason: 'main-file' })
      } else {
        const served = isRenamed && name === mainFile ? 'SKILL.md' : name
        keep(served, file, (below, uri) => flat.files.push({ path: below, uri, file }))
      }
    }
    for (const { name, folder: inner } of folder.folders) {
      if (only && !holdsAny(inner, included)) continue
      keep(name, inner.folder, (below, uri) => visit(inner, `${below}/`, uri, only))
    }
    const unreadable = folder.leftOut.some((entry) => entry.file === folder.folder)
    if (kept === 0 && prefix !== '' && !unreadable) flat.empty.push({ path: prefix.slice(0, -1), uri })
  }

  visit(tree, '', rootUri, false)
  return flat
}

function holdsAny({ folder }: Folder, files: ReadonlySet<string>): boolean {
  for (const file of files) if (file.startsWith(folder + path.sep)) return true
  return false
}
