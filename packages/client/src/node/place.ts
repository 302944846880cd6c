/** Looks at what lies where a file is to be written, without ever following a link. */
import { createHash } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import path from 'node:path'
import { unlessMissing } from './missing.ts'

/** What is at a path: the digest of a file, or what else there is. */
export type Found = { readonly digest: string } | 'nothing' | 'folder' | 'link' | 'other'

/**
 * @param root Trusted: it may be, or be reached by, a link.
 * @param file Below the root, with `/`.
 */
export async function look(root: string, file: string): Promise<Found> {
  let at = root
  const segments = file.split('/')
  for (const [index, segment] of segments.entries()) {
    at = path.join(at, segment)
    const found = await unlessMissing(lstat(at))
    if (!found) return 'nothing'
    if (found.isSymbolicLink()) return 'link'
    if (index < segments.length - 1) {
      if (!found.isDirectory()) return 'other'
    } else {
      if (found.isDirectory()) return 'folder'
      return found.isFile() ? { digest: digestOf(await readFile(at)) } : 'other'
    }
  }
  return 'folder'
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}
