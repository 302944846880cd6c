import { copyFile, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { removeEmpty } from './empty.ts'
import { look } from './place.ts'

/** What is to change below a folder; its paths have `/`. */
export interface Change {
  /** Files that go, if they still have these digests. */
  readonly remove: readonly { readonly file: string; readonly digest: string }[]
  /** Files that are complete, and their places. */
  readonly put: readonly { readonly from: string; readonly to: string }[]
}

/**
 * Takes files away, and puts others in their places, one after the other. What goes does so first: it may be a
 * folder where a file is to be, a file where a folder is, or the same name where case does not count. If anything
 * cannot be done, all is put back as it was.
 *
 * @param spare An empty folder beside the root, for what is replaced until all is done.
 * @param commit Is done last, and undoes all else by failing.
 * @throws Error if there is something in the way, or what goes is not what it was.
 */
export async function changeAll(
  root: string,
  { remove, put }: Change,
  spare: string,
  commit: () => Promise<void>,
): Promise<void> {
  const undo: (() => Promise<void>)[] = []
  const aside = (): string => path.join(spare, `old-${undo.length}`)
  try {
    for (const { file, digest } of remove) {
      const target = path.join(root, file)
      const found = await look(root, file)
      if (found === 'nothing') continue
      if (typeof found === 'string' || found.digest !== digest)
        throw new Error(`${file} cannot be removed: it was changed meanwhile.`)
      const copy = aside()
      await rename(target, copy)
      undo.push(() => mkdir(path.dirname(target), { recursive: true }).then(() => rename(copy, target)))
      await removeEmpty(path.dirname(target), root)
    }
    for (const { from, to } of put) {
      const target = path.join(root, to)
      // Files went out of it, or there never were any.
      if ((await look(root, to)) === 'folder') await removeFolders(target)
      // What was looked at when this was planned may be a link by now.
      const found = await look(root, to)
      if (found === 'link' || found === 'folder' || found === 'other')
        throw new Error(`${to} cannot be written: something else was put there meanwhile.`)
      const copy = aside()
      if (found !== 'nothing') await copyFile(target, copy)
      await mkdir(path.dirname(target), { recursive: true })
      await rename(from, target)
      undo.push(found === 'nothing' ? () => removeFile(target, root) : () => rename(copy, target))
    }
    await commit()
  } catch (error) {
    for (const step of undo.toReversed()) await step().catch(() => {})
    throw error
  }
}

async function removeFile(file: string, root: string): Promise<void> {
  await rm(file)
  await removeEmpty(path.dirname(file), root)
}

/** Removes a folder that holds nothing but folders, and leaves one that holds anything else. */
async function removeFolders(folder: string): Promise<void> {
  const below = await readdir(folder, { recursive: true, withFileTypes: true })
  if (below.some((entry) => !entry.isDirectory())) return
  const folders = below.map((entry) => path.join(entry.parentPath, entry.name))
  // The deeper ones first.
  for (const each of [...folders.toSorted().toReversed(), folder]) await rmdir(each)
}
