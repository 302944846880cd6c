/**
 * Bundlers mark ids that are no files with a NUL, ask again about ids that were resolved already, and
 * add queries of their own.
 */
const MARK = '\0'

/** What matches the ids of a set, resolved or not. */
export function idFilter(id: string): RegExp {
  return new RegExp(`^${MARK}?${id.replace(/\W/g, '\\$&')}(?=$|[/?])`)
}

/** The id as bundlers keep it. */
export function resolvedId(id: string): string {
  return id.startsWith(MARK) ? id : MARK + id
}

/** The id of the module that a resolved id stands for. */
export function moduleId(id: string): string {
  return id.replace(MARK, '').replace(/\?.*$/, '')
}
