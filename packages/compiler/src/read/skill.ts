import path from 'node:path'
import type { FoundFolder } from '../discover/discover.ts'
import { readManifest } from '../frontmatter/parse.ts'
import type { Manifest } from '../frontmatter/parse.ts'
import type { SkillFile } from '../types.ts'
import { compileTemplate } from '../template/compile-template.ts'
import type { TemplateFault } from '../template/compile-template.ts'
import { suffixOf } from '../template/engine.ts'
import type { ResolvedEngines, TemplateEngine } from '../template/engine.ts'
import type { ReadContent } from './content.ts'
import { mimeType } from './mime.ts'
import { compare } from './order.ts'
import { childUri, skillUri } from './uri.ts'
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
  /** Without `SKILL.md` undefined, and if no URI can say the path. */
  readonly uri: string | undefined
  readonly files: readonly SkillFile[]
  readonly emptyDirectories: readonly string[]
  readonly leftOut: readonly LeftOut[]
  /** Names at the top of the folder: what is there instead of a `SKILL.md`. */
  readonly top: readonly string[]
  /** Folders below that have a `SKILL.md`, for a folder that has none. */
  readonly nested: readonly string[]
  /** The `SKILL.md`, if there is one. */
  readonly manifest: Manifest | undefined
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

/** Reads a skill's folder; `ignored` are absolute paths of files and folders to pass over. */
export async function readSkill(
  found: FoundFolder,
  ignored: ReadonlySet<string>,
  { root, engines, walk, content }: SkillReader,
): Promise<SkillDraft> {
  const tree = await walk(found.folder)
  const rootUri = skillUri(found.path)
  const flat = flatten(tree, rootUri ?? 'skill://unsayable', ignored)
  const entries = flat.files.map((entry) => servedEntry(entry, engines))

  const skillMd = entries.find((file) => file.path === 'SKILL.md')
  // Without a SKILL.md nothing is served, so nothing is read: the folder may be anything.
  const wanted = skillMd === undefined ? [] : entries
  const read = await Promise.all(wanted.map(async (entry) => ({ entry, held: await content(entry.file) })))

  const files: SkillFile[] = []
  const leftOut = [...flat.leftOut]
  let manifest: Manifest | undefined
  const templateFaults: TemplateFault[] = []
  for (const { entry, held } of read) {
    if ('failure' in held) {
      leftOut.push({ file: entry.file, reason: 'unreadable', failure: held.failure })
      continue
    }
    if (entry === skillMd) manifest = readManifest(held.bytes)
    const { path: below, uri, engine } = entry
    const { bytes, digest, size, kind } = held
    const file = {
      path: below,
      uri,
      mimeType: mimeType(path.posix.basename(below)),
      bytes,
      digest,
      size,
      kind,
    }
    const template = engine && (await compileTemplate(bytes, entry.file, entry === skillMd, await engine()))
    if (template && 'fault' in template) templateFaults.push(template.fault)
    files.push(template && 'code' in template ? { ...file, template: template.code } : file)
  }
  templateFaults.push(...takenPaths(entries))

  return {
    path: found.path,
    name: found.path.slice(found.path.lastIndexOf('/') + 1),
    folder: found.folder,
    location: relativeTo(root, found.folder),
    prefixed: found.prefixed,
    base: relativeTo(root, found.base),
    uri: rootUri === undefined || manifest === undefined ? undefined : `${rootUri}/SKILL.md`,
    files: files.sort(manifestFirst),
    emptyDirectories: flat.empty.sort((a, b) => compare(a.uri, b.uri)).map((folder) => folder.path),
    leftOut: leftOut.map((entry) => ({ ...entry, file: relativeTo(root, entry.file) })),
    top: [...tree.files, ...tree.folders].map((entry) => entry.name),
    nested:
      skillMd === undefined ? flat.files.filter(isSkillMd).map((file) => path.posix.dirname(file.path)) : [],
    manifest,
    templated: files.flatMap((file) => (file.template === undefined ? [] : [file.path])),
    templateFaults: templateFaults.map((fault) => ({ ...fault, file: relativeTo(root, fault.file) })),
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
  const suffix = suffixOf(path.basename(entry.file), engines)
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
function flatten(tree: Folder, rootUri: string, ignored: ReadonlySet<string>): Flat {
  const flat: Flat = { files: [], empty: [], leftOut: [] }

  const visit = (folder: Folder, prefix: string, uri: string): void => {
    for (const { file, reason, failure } of folder.leftOut) {
      if (!ignored.has(file)) flat.leftOut.push({ file, reason, ...(failure !== undefined && { failure }) })
    }
    let kept = 0
    const keep = (name: string, file: string, use: (path: string, uri: string) => void): void => {
      if (ignored.has(file)) return
      const below = childUri(uri, name)
      if (below === undefined) {
        flat.leftOut.push({ file, reason: 'file-name' })
        return
      }
      kept++
      use(prefix + name, below)
    }
    for (const { name, file } of folder.files) {
      keep(name, file, (below, uri) => flat.files.push({ path: below, uri, file }))
    }
    for (const { name, folder: inner } of folder.folders) {
      keep(name, inner.folder, (below, uri) => visit(inner, `${below}/`, uri))
    }
    const unreadable = folder.leftOut.some((entry) => entry.file === folder.folder)
    if (kept === 0 && prefix !== '' && !unreadable) flat.empty.push({ path: prefix.slice(0, -1), uri })
  }

  visit(tree, '', rootUri)
  return flat
}
