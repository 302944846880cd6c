import { realpathSync } from 'node:fs'
import path from 'node:path'

/**
 * The path of a file or folder from the root, with `/` between segments: the same on every machine. Bundlers name files
 * by where they really are, and the root may be a link, or below one.
 *
 * @param root Absolute, as is `target`.
 */
export function belowRoot(root: string, target: string): string {
  const relative = path.relative(root, target)
  const real = isBelow(relative) ? relative : path.relative(realPath(root), realPath(target))
  return (isBelow(real) ? real : relative).split(path.sep).join('/')
}

function isBelow(relative: string): boolean {
  return !/^\.\.(?:[/\\]|$)/.test(relative) && !path.isAbsolute(relative)
}

function realPath(place: string): string {
  try {
    return realpathSync(place)
  } catch {
    return place
  }
}
