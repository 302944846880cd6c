import { rename, rm, writeFile } from 'node:fs/promises'

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
