import path from 'node:path'
import fg from 'fast-glob'
import type { ResolvedSource } from '../options.ts'
import type { Disk } from '../read/disk.ts'
import { hasMainFile } from '../template/engine.ts'
import type { ResolvedEngines } from '../template/engine.ts'
import { globFiles } from './glob-files.ts'

/** A folder that a source claims to be a skill. */
export interface FoundFolder {
  /** Absolute. */
  readonly folder: string
  /** The skill path, prefix included: `acme/billing/refunds`. */
  readonly path: string
  /** How many segments of `path` come from the source's `prefix`. */
  readonly prefixed: number
  /** The fixed part of the glob, absolute. */
  readonly base: string
  /** What its `SKILL.md` is called. */
  readonly mainFile: string
}

/** What one glob came to. */
export interface FoundPattern {
  readonly pattern: string
  readonly source: ResolvedSource
  /** The fixed part of the glob, absolute. */
  readonly base: string
  /** For a pattern without wildcards, the folder that it names, absolute. */
  readonly only?: string
  /** Whether `only` is a file instead. */
  readonly onlyIsFile?: boolean
  /** Whether `base` can be listed. */
  readonly baseExists: boolean
  /** Ends with `**`: only folders with a `SKILL.md` are claimed. */
  readonly deep: boolean
  readonly folders: readonly FoundFolder[]
  /** Symlinks that the glob matches and that lead to a skill, absolute. */
  readonly links: readonly string[]
  /** Folders passed over by `**` that hold a `skill.md` in the wrong case: absolute paths of those files. */
  readonly wrongCase: readonly string[]
  /** Whether `**` found a `SKILL.md` right in `base`, where no path is left for it. */
  readonly rootSkill: boolean
  /** Folders that could not be listed on the way, with the system's code. */
  readonly unreadable: readonly { readonly folder: string; readonly failure: string }[]
  /** Whether this glob found anything, here or in another alternative of its braces. */
  readonly matched: boolean
}

type Part = Omit<FoundPattern, 'matched'>

/** Finds the skill folders of a source. Names that are found are never used as globs. */
export async function discover(
  source: ResolvedSource,
  disk: Disk,
  engines: ResolvedEngines,
): Promise<FoundPattern[]> {
  const found = source.patterns.map(async (pattern) => {
    // Braces with a slash give several tasks, each with its own fixed part: `{a/b,c}/*`.
    const parts = await Promise.all(
      fg
        .generateTasks([pattern])
        .flatMap((task) =>
          task.dynamic
            ? [expand(pattern, task.positive, path.resolve(source.base, task.base), source, disk, engines)]
            : task.positive.map((name) => single(pattern, name, source, disk)),
        ),
    )
    const matched = parts.some((part) => part.folders.length > 0 || part.rootSkill)
    return parts.map((part) => ({ ...part, matched }))
  })
  return (await Promise.all(found)).flat()
}

/** A pattern without wildcards is one folder, and its name the path. */
async function single(pattern: string, name: string, source: ResolvedSource, disk: Disk): Promise<Part> {
  const folder = path.resolve(source.base, name.replaceAll(/\\(?=[\\()[\]{}!*?@+|])/g, ''))
  const base = path.dirname(folder)
  const listing = await disk.list(base)
  const entry =
    'entries' in listing ? listing.entries.find((item) => item.name === path.basename(folder)) : undefined
  return {
    pattern,
    source,
    base,
    only: folder,
    onlyIsFile: entry?.isFile() ?? false,
    baseExists: 'entries' in listing,
    deep: false,
    folders: entry?.isDirectory() ? [claim(folder, path.basename(folder), base, source)] : [],
    links: entry?.isSymbolicLink() ? [folder] : [],
    wrongCase: [],
    rootSkill: false,
    unreadable: failureOf(base, disk),
  }
}

async function expand(
  pattern: string,
  globs: string[],
  base: string,
  source: ResolvedSource,
  disk: Disk,
  engines: ResolvedEngines,
): Promise<Part> {
  const { mainFile } = source
  const isSkill = (names: readonly string[]): boolean => hasMainFile(names, mainFile, engines)
  const deep = globs.every((glob) => /(?:^|\/)\*\*$/.test(glob))
  const { fs, asked } = globFiles(disk)
  const entries = await fg(globs, {
    cwd: source.base,
    ignore: [...source.ignore],
    fs,
    onlyFiles: false,
    objectMode: true,
    followSymbolicLinks: false,
    suppressErrors: true,
  })
  entries.sort((a, b) => (a.path < b.path ? -1 : 1))

  const folders: FoundFolder[] = []
  const wrongCase: string[] = []
  for (const entry of entries) {
    if (!entry.dirent.isDirectory()) continue
    const folder = path.resolve(source.base, entry.path)
    if (deep) {
      const names = await namesIn(folder, disk)
      if (!isSkill(names)) {
        const near = names.find((name) => name.toLowerCase() === mainFile.toLowerCase())
        if (near !== undefined) wrongCase.push(path.join(folder, near))
        continue
      }
    }
    folders.push(claim(folder, path.relative(base, folder).split(path.sep).join('/'), base, source))
  }
  const links: string[] = []
  for (const entry of entries) {
    if (!entry.dirent.isSymbolicLink()) continue
    const link = path.resolve(source.base, entry.path)
    // A link inside a skill is the skill's affair, and one to something else nobody's.
    const outside = !folders.some(({ folder }) => link.startsWith(folder + path.sep))
    if (outside && isSkill(await namesIn(link, disk))) links.push(link)
  }
  return {
    pattern,
    source,
    base,
    baseExists: 'entries' in (await disk.list(base)),
    deep,
    folders,
    links,
    wrongCase,
    rootSkill: deep && isSkill(await namesIn(base, disk)),
    unreadable: asked().flatMap((folder) => failureOf(folder, disk)),
  }
}

function claim(folder: string, below: string, base: string, source: ResolvedSource): FoundFolder {
  const { prefix, rename, mainFile } = source
  const path = rename.get(below) ?? below
  if (prefix === '') return { folder, path, prefixed: 0, base, mainFile }
  return { folder, path: `${prefix}/${path}`, prefixed: prefix.split('/').length, base, mainFile }
}

async function namesIn(folder: string, disk: Disk): Promise<string[]> {
  const listing = await disk.list(folder)
  return 'entries' in listing ? listing.entries.map((entry) => entry.name) : []
}

/** A folder that is not there is no failure: nothing matches, and that is said. */
function failureOf(folder: string, disk: Disk): { folder: string; failure: string }[] {
  const listing = disk.listed(folder)
  if (listing === undefined || 'entries' in listing) return []
  return listing.failure === 'ENOENT' || listing.failure === 'ENOTDIR'
    ? []
    : [{ folder, failure: listing.failure }]
}
