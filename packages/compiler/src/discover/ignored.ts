import path from 'node:path'
import fg from 'fast-glob'
import type { ResolvedSource } from '../options.ts'
import type { Disk } from '../read/disk.ts'
import { listedFiles } from './glob-files.ts'

const NONE: ReadonlySet<string> = new Set()

/** The absolute paths that the source's `ignore` globs match inside of `folders`, which must have been walked. */
export async function ignoredPaths(
  source: ResolvedSource,
  folders: readonly string[],
  disk: Disk,
): Promise<ReadonlySet<string>> {
  if (source.ignore.length === 0 || folders.length === 0) return NONE
  const matches = await fg([...source.ignore], {
    cwd: source.base,
    fs: listedFiles(disk, folders),
    dot: true,
    onlyFiles: false,
    followSymbolicLinks: false,
    suppressErrors: true,
  })
  return new Set(matches.map((match) => path.resolve(source.base, match)))
}
