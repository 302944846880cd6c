/** Keeps a folder of files below a number of bytes: those that were used least lately go first. */
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { removeEmpty } from './empty.ts'
import { unlessMissing } from './missing.ts'

interface Kept {
  readonly file: string
  readonly bytes: number
  /** When it was last used, in milliseconds. */
  readonly used: number
}

export class Budget {
  readonly #folder: string
  readonly #limit: number
  /** What lies there as far as is known; other processes may add to it. */
  #bytes: number | undefined
  #turn: Promise<void> = Promise.resolve()

  readonly #isOurs: RegExp

  /** @param isOurs Matches the paths below the folder, with `/`, that may be counted and removed. */
  constructor(folder: string, limit: number, isOurs: RegExp) {
    this.#folder = folder
    this.#limit = limit
    this.#isOurs = isOurs
  }

  /** A file was written. The folder is looked at the first time, and whenever it may hold too much. */
  wrote(bytes: number): Promise<void> {
    const turn = this.#turn.then(async () => {
      if (this.#bytes !== undefined) this.#bytes += bytes
      if (this.#bytes === undefined || this.#bytes > this.#limit) this.#bytes = await this.#prune()
    })
    this.#turn = turn.catch(() => {})
    return turn
  }

  /** Gives how many bytes are left. A quarter is made free at once, so that this is done seldom. */
  async #prune(): Promise<number> {
    const kept = await filesBelow(this.#folder, this.#isOurs)
    let bytes = kept.reduce((sum, file) => sum + file.bytes, 0)
    if (bytes <= this.#limit) return bytes
    kept.sort((a, b) => a.used - b.used)
    for (const { file, bytes: size } of kept) {
      if (bytes <= this.#limit * 0.75) break
      await rm(file, { force: true })
      bytes -= size
      await removeEmpty(path.dirname(file), this.#folder)
    }
    return bytes
  }
}

async function filesBelow(folder: string, isOurs: RegExp): Promise<Kept[]> {
  const entries = await unlessMissing(readdir(folder, { recursive: true, withFileTypes: true }))
  const kept: Kept[] = []
  for (const entry of entries ?? []) {
    const file = path.join(entry.parentPath, entry.name)
    const relative = path.relative(folder, file).replaceAll(path.sep, '/')
    const found = entry.isFile() && isOurs.test(relative) ? await unlessMissing(stat(file)) : undefined
    if (found) kept.push({ file, bytes: found.size, used: found.mtimeMs })
  }
  return kept
}
