import fs from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Writes a file whole or not at all: whoever reads meanwhile sees the old one or the new one. */
export async function writeWhole(
  file: string,
  content: string | Uint8Array,
  { mode = 0o666 }: { readonly mode?: number } = {},
): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    await writeFile(temporary, content, { mode })
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** The same at once, its folder made where there is none: for what is kept to be quicker next time. */
export function writeWholeSync(file: string, content: string | Uint8Array): void {
  const temporary = `${file}.${process.pid}.tmp`
  fs.mkdirSync(path.dirname(file), { recursive: true })
  try {
    fs.writeFileSync(temporary, content)
    fs.renameSync(temporary, file)
  } catch (error) {
    fs.rmSync(temporary, { force: true })
    throw error
  }
}
