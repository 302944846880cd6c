import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { removeEmpty } from './empty.ts'
import { look } from './place.ts'

/** A file that is complete, and its place below the root, with `/`. */
export interface Move {
  readonly from: string
  readonly to: string
}

/**
 * Puts files in their places, one after the other. If one cannot be, all are put back as they were.
 *
 * @param spare An empty place for a copy of what is replaced; its name is continued.
 * @throws Error if there is something in the way.
 */
export async function moveAll(root: string, moves: readonly Move[], spare: string): Promise<void> {
  const undo: (() => Promise<void>)[] = []
  try {
    for (const [index, { from, to }] of moves.entries()) {
      const target = path.join(root, to)
      // What was looked at when this was planned may be a link by now.
      const found = await look(root, to)
      if (found === 'link' || found === 'folder' || found === 'other')
        throw new Error(`${to} cannot be written: something else was put there meanwhile.`)
      const copy = `${spare}${index}`
      if (found !== 'nothing') await copyFile(target, copy)
      await mkdir(path.dirname(target), { recursive: true })
      await rename(from, target)
      undo.push(found === 'nothing' ? () => remove(target, root) : () => rename(copy, target))
    }
  } catch (error) {
    for (const step of undo.toReversed()) await step().catch(() => {})
    throw error
  }
}

async function remove(file: string, root: string): Promise<void> {
  await rm(file)
  await removeEmpty(path.dirname(file), root)
}
