/*
 * What any tool that checks skills has to do: find the files, read them, and hash them. Run as a program it does so
 * once: `node floor.ts <folder>`.
 */
import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import fg from 'fast-glob'

const AT_ONCE = 32

/** Reads through the thread pool, a few files at once. */
export async function floor(root: string): Promise<number> {
  const files = await fg('**', { cwd: root })
  let next = 0
  let bytes = 0
  const worker = async (): Promise<void> => {
    while (next < files.length) {
      const content = await fs.promises.readFile(path.join(root, files[next++]!))
      hash('sha256', content)
      bytes += content.length
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return bytes
}

/** Reads one file after the other, which is quicker where the disk is. */
export async function floorSync(root: string): Promise<number> {
  const files = await fg('**', { cwd: root })
  let bytes = 0
  for (const file of files) {
    const content = fs.readFileSync(path.join(root, file))
    hash('sha256', content)
    bytes += content.length
  }
  return bytes
}

if (process.argv[1] === import.meta.filename) {
  const [, , root = '.', way] = process.argv
  await (way === 'sync' ? floorSync : floor)(root)
}
