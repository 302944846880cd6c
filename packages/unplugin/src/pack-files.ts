import { readFileSync } from 'node:fs'
import path from 'node:path'
import { writeWholeSync } from '@embed-skills/compiler'

/**
 * Where a pack is put for a bundler to import it. A virtual module cannot be binary, so that it has to
 * be a file; its name changes with its bytes.
 *
 * @returns The file's absolute path, with `/` between segments.
 */
export function packFiles(root: string): (name: string, bytes: Uint8Array) => string {
  const folder = path.join(root, 'node_modules/.cache/embed-skills')
  return (name, bytes) => {
    const file = path.join(folder, name)
    if (!holds(file, bytes)) writeWholeSync(file, bytes)
    return file.replaceAll(path.sep, '/')
  }
}

function holds(file: string, bytes: Uint8Array): boolean {
  try {
    return readFileSync(file).equals(bytes)
  } catch {
    return false
  }
}
