import { BY_NAME } from './walk.ts'
import type { Folder, Walk } from './walk.ts'

/** Folders that their names leave out, by absolute path. */
export type Hidden = ReadonlyMap<string, Folder>

/** Walks what lies behind such names, so that globs of `include` can be matched against it. */
export async function walkHidden(
  folders: readonly Folder[],
  include: readonly string[],
  walk: Walk,
): Promise<Hidden> {
  const hidden = new Map<string, Folder>()
  if (include.length === 0) return hidden
  const wantsPackages = include.some((glob) => glob.includes('node_modules'))

  const visit = async (folder: Folder): Promise<void> => {
    for (const { file, name, reason, isFolder } of folder.leftOut) {
      // The history of a repository is nobody's skill, and it is large.
      if (!isFolder || !BY_NAME.has(reason) || name === '.git') continue
      if ((reason === 'node-modules' && !wantsPackages) || hidden.has(file)) continue
      const found = await walk(file)
      hidden.set(file, found)
      await visit(found)
    }
    for (const below of folder.folders) await visit(below.folder)
  }
  for (const folder of folders) await visit(folder)
  return hidden
}
