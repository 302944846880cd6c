/** Which downloaded files may go from a folder, found out before any of them does. */
import type { Downloaded } from './manifest.ts'
import { look } from './place.ts'

export interface Removal {
  /** What was downloaded before, is not needed any more, and is as it was: below the root. */
  readonly remove: readonly { readonly file: string; readonly digest: string }[]
  /** About what is kept all the same. */
  readonly warnings: readonly string[]
}

/**
 * Of what was downloaded, that may go which is as it was and no other downloaded skill has.
 *
 * @param needed Files that will be put there. What was changed by hand and is in the way of one is an error.
 */
export async function planRemoval(
  root: string,
  { folder, files }: Pick<Downloaded, 'folder' | 'files'>,
  others: readonly Downloaded[],
  needed: readonly string[] = [],
  force: boolean = false,
): Promise<Removal> {
  const shared = new Set(
    others.flatMap((other) => Object.keys(other.files).map((path) => fileOf(other, path))),
  )
  const remove: { file: string; digest: string }[] = []
  const warnings: string[] = []
  for (const [path, digest] of Object.entries(files)) {
    const file = fileOf({ folder }, path)
    const found = shared.has(file) ? 'nothing' : await look(root, file)
    if (found === 'nothing') continue
    const actual = typeof found === 'string' ? undefined : found.digest
    const stands = needed.find((other) => other.startsWith(`${file}/`) || file.startsWith(`${other}/`))
    if (actual === digest) remove.push({ file, digest })
    else if (stands === undefined) warnings.push(`${file} was changed by hand and is kept.`)
    else if (actual !== undefined && force) remove.push({ file, digest: actual })
    else
      throw new Error(
        `${file} was changed by hand, and is in the way of ${stands}. Move it away, or have it removed with --force.`,
      )
  }
  return { remove, warnings }
}

/** Below the root. */
export function fileOf({ folder }: Pick<Downloaded, 'folder'>, path: string): string {
  return `${folder}/${path}`
}
