import path from 'node:path'
import type { FoundFolder } from '../discover/discover.ts'
import type { Selection } from '../discover/select.ts'
import { compileTemplate } from '../template/compile-template.ts'
import type { TemplateFault } from '../template/compile-template.ts'
import { hasMainFile, isMainFile, suffixOf } from '../template/engine.ts'
import type { ResolvedEngines, TemplateEngine } from '../template/engine.ts'
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
  /** What its `SKILL.md` is called on disk, with the suffix of a template. */
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
  /** The paths, as they are served, of files that are templates. */
  readonly templated: readonly string[]
  readonly templateFaults: readonly TemplateFault[]
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
  readonly engines: ResolvedEngines
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
  { root, engines, walk, content }: SkillReader,
): Promise<SkillDraft> {
  const tree = await walk(found.folder)
  const rootUri = skillUri(found.path)
  const flat = flatten(tree, rootUri ?? 'skill://unsayable', scope, engines)
  const { binary } = scope.selection
  const entries = flat.files.map((entry) => servedEntry(entry, engines))

  const skillMd = entries.find((file) => file.path === 'SKILL.md')
  // Without a SKILL.md nothing is served, so nothing is read: the folder may be anything.
  const wanted = skillMd === undefined ? [] : entries
  const read = await Promise.all(wanted.map(async (entry) => ({ entry, held: await content(entry.file) })))

  const files: SkillFile[] = []
  const leftOut = [...flat.leftOut]
  const denied: string[] = []
  const faults: TemplateFault[] = takenPaths(entries)
  let manifest: Uint8Array | undefined
  for (const { entry, held } of read) {
    if ('failure' in held) {
      leftOut.push({ file: entry.file, reason: 'unreadable', failure: held.failure })
      continue
    }
    if (entry === skillMd) manifest = held.bytes
    const { path: below, uri, engine } = entry
    const { bytes, digest, size, kind } = held
    const type = mimeType(path.posix.basename(below))
    const template = engine && (await compileTemplate(bytes, entry.file, entry === skillMd, await engine()))
    if (template && 'fault' in template) faults.push(template.fault)
    const compiled = template && 'code' in template && { template: template.code }
    files.push({ path: below, uri, mimeType: type, bytes, digest, size, kind, ...compiled })
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
    mainFile: skillMd === undefined ? found.mainFile : path.basename(skillMd.file),
    uri: rootUri === undefined || manifest === undefined ? undefined : `${rootUri}/SKILL.md`,
    files: files.sort(manifestFirst),
    emptyDirectories: flat.empty.sort((a, b) => compare(a.uri, b.uri)).map((folder) => folder.path),
    leftOut: leftOut.map((entry) => ({ ...entry, file: relativeTo(root, entry.file) })),
    top: [...tree.files, ...tree.folders].map((entry) => entry.name),
    nested:
      skillMd === undefined ? flat.files.filter(isSkillMd).map((file) => path.posix.dirname(file.path)) : [],
    skillMd: manifest,
    denied,
    templated: files.flatMap((file) => (file.template === undefined ? [] : [file.path])),
    templateFaults: faults.map((fault) => ({ ...fault, file: relativeTo(root, fault.file) })),
  }
}

/** A file as it is served: a template without its suffix. */
interface ServedEntry {
  readonly path: string
  readonly uri: string
  /** Absolute. */
  readonly file: string
  readonly engine?: () => Promise<TemplateEngine>
}

function servedEntry(entry: Omit<ServedEntry, 'engine'>, engines: ResolvedEngines): ServedEntry {
  const suffix = suffixOf(path.posix.basename(entry.path), engines)
  if (suffix === undefined) return entry
  const { path: below, uri, file } = entry
  // A suffix is spelled the same in a URI.
  return {
    path: below.slice(0, -suffix.length),
    uri: uri.slice(0, -suffix.length),
    file,
    engine: engines.get(suffix)!,
  }
}

/** Templates whose path another file has. */
function takenPaths(entries: readonly ServedEntry[]): TemplateFault[] {
  return entries
    .filter(
      ({ engine, uri, file }) => engine && entries.some((other) => other.uri === uri && other.file !== file),
    )
    .map(({ path: below, file }) => ({
      file,
      message: `There is a \`${below}\` beside the template of it`,
      help: 'Remove or rename one of them.',
    }))
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
function flatten(
  tree: Folder,
  rootUri: string,
  { selection, hidden, mainFiles }: Scope,
  engines: ResolvedEngines,
): Flat {
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
    const names = folder.files.map(({ name }) => name)
    const isRenamed = mainFile !== undefined && hasMainFile(names, mainFile, engines)
    for (const { name, file } of folder.files) {
      if (only && !included.has(file)) continue
      if (isRenamed && isMainFile(name, 'SKILL.md', engines)) {
        if (!ignored.has(file)) flat.leftOut.push({ file, reason: 'main-file' })
      } else {
        const isMain = isRenamed && isMainFile(name, mainFile, engines)
        const served = isMain ? `SKILL.md${name.slice(mainFile.length)}` : name
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
