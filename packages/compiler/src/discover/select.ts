import path from 'node:path'
import fg from 'fast-glob'
import type { ResolvedSource } from '../options.ts'
import type { Disk } from '../read/disk.ts'
import { listedFiles } from './glob-files.ts'

const NONE: ReadonlySet<string> = new Set()

/** What a source's globs say about the files and folders in its skills: absolute paths. */
export interface Selection {
  readonly ignored: ReadonlySet<string>
  /** Files that are taken in against their name. */
  readonly included: ReadonlySet<string>
  /** The binary files that are allowed; undefined if all are. */
  readonly binary: ReadonlySet<string> | undefined
}

/** Matches the globs against what was listed of `folders`, which must have been walked. */
export async function select(
  source: ResolvedSource,
  folders: readonly string[],
  disk: Disk,
): Promise<Selection> {
  const match = async (globs: readonly string[], onlyFiles: boolean): Promise<ReadonlySet<string>> => {
    if (globs.length === 0 || folders.length === 0) return NONE
    const matches = await fg([...globs], {
      cwd: source.base,
      fs: listedFiles(disk, folders),
      dot: true,
      onlyFiles,
      followSymbolicLinks: false,
      suppressErrors: true,
    })
    return new Set(matches.map((match) => path.resolve(source.base, match)))
  }
  const { ignore, include, binary } = source
  return {
    ignored: await match(ignore, false),
    included: await match(include, true),
    binary: binary && (await match(binary, true)),
  }
}
