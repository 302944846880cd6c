/** Which names of a server are written to a disk. */

const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\s*\.|\s*$)/i

/** `LONGFI~1.MD`: Windows gives `long file name.md` this name as well. */
const SHORT = /^[^.]{1,6}~\d{1,4}(?:\.[^.]{0,3})?$/

/**
 * Why a path below a skill is not written; nothing if it may be.
 *
 * @param path With `/` between its segments, decoded.
 * @param options.unsafe Also names that Windows cannot hold and hidden ones, which tools act upon
 *   (`.git`, `.vscode`, `.envrc`). What leaves the folder is refused in any case.
 */
export function refusedName(path: string, { unsafe = false }: { unsafe?: boolean } = {}): string | undefined {
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.' || segment === '..') return 'it leaves its folder'
    if (/[\\\0]/.test(segment)) return 'it holds a backslash or NUL'
    if (Buffer.byteLength(segment) > 255) return 'one of its names is longer than 255 bytes'
    if (unsafe) continue
    if (segment.startsWith('.')) return `"${segment}" is hidden`
    if (/[<>:"|?*\p{Cc}]/u.test(segment)) return `Windows has no file named "${segment}"`
    if (/[. ]$/.test(segment)) return `Windows has no file whose name ends as "${segment}" does`
    if (SHORT.test(segment)) return `on Windows, "${segment}" may be the short name of another file`
    if (DEVICE.test(segment)) return `"${segment}" is a device on Windows`
  }
  return undefined
}

/** Two of these paths that are one file where case or accents do not count, as on most machines. */
export function collidingNames(paths: Iterable<string>): [string, string] | undefined {
  const seen = new Map<string, string>()
  for (const path of paths) {
    // A file and a folder of one name collide as well.
    const segments = foldName(path).split('/')
    const folded = segments.join('/')
    const other = seen.get(folded)
    if (other !== undefined) return [other, path]
    seen.set(folded, path)
  }
  for (const [folded, path] of seen)
    for (let at = folded.lastIndexOf('/'); at > 0; at = folded.lastIndexOf('/', at - 1)) {
      const file = seen.get(folded.slice(0, at))
      if (file !== undefined) return [file, path]
    }
  return undefined
}

/** Whether two folders are one, or one lies in the other, only where case or accents do not count. */
export function collidingFolders(a: string, b: string): boolean {
  const [left, right] = [a.split('/'), b.split('/')]
  const common = Math.min(left.length, right.length)
  const [ours, theirs] = [left.slice(0, common).join('/'), right.slice(0, common).join('/')]
  return ours !== theirs && foldName(ours) === foldName(theirs)
}

/** One spelling of all that are one name where case or accents do not count. By way of upper case, since there are two small sigmas and only one large one. */
export function foldName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}
