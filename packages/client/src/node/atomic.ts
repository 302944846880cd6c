import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Writes a file whole or not at all; readers see the old one until the new one is complete. */
export async function writeAtomic(
  file: string,
  content: string | Uint8Array,
  mode: number = 0o644,
): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  const temporary = path.join(path.dirname(file), `.${randomUUID()}.tmp`)
  try {
    await writeFile(temporary, content, { mode, flag: 'wx' })
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
