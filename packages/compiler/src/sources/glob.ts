import path from 'node:path'

export const NO_SOURCES = "No sources: pass a glob of skill folders such as 'skills/*'"

/** Whether a glob says what to leave out of the others. `!(a|b)` is a glob like others. */
export function isNegated(pattern: unknown): pattern is string {
  return typeof pattern === 'string' && /^!(?!\()/.test(pattern)
}

/**
 * fast-glob finds nothing, silently, for an absolute pattern below a folder such as `a (x)`, so patterns are
 * always relative to a `cwd`: an absolute one is accepted only where it can be made so.
 *
 * @throws {TypeError} on what is no glob, and on an absolute one that leads out of `base`.
 */
export function cleanGlob(pattern: unknown, base: string): string {
  if (typeof pattern !== 'string' || pattern === '') {
    throw new TypeError(`A glob must be a string that is not empty; got ${JSON.stringify(pattern)}`)
  }
  let glob = pattern
  if (path.isAbsolute(glob)) {
    const inside = [base, base.replaceAll('\\', '/')].find((start) => glob.startsWith(`${start}/`))
    if (inside === undefined) {
      throw new TypeError(
        `The glob ${JSON.stringify(glob)} is absolute, and leads out of ${base}: give \`base\` the folder that it starts from, and write the rest as the glob`,
      )
    }
    glob = glob.slice(inside.length + 1)
  }
  while (glob.startsWith('./')) glob = glob.slice(2)
  while (glob.endsWith('/')) glob = glob.slice(0, -1)
  return glob === '' ? '.' : glob
}
