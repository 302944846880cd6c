import { canonicalUri, ROOT, SKILL_MD } from './uri.ts'

/**
 * The URI of a skill, to name it in instructions and tool results. A segment that begins with `:` takes
 * its value from `params`.
 *
 * @throws RangeError if a value is missing or can be no segment of a path.
 *
 * @example
 * skillUri('acme/refunds') // 'skill://acme/refunds/SKILL.md'
 * skillUri('studies/:studyId/study-review', { studyId: 'S 1' }) // 'skill://studies/S%201/study-review/SKILL.md'
 */
export function skillUri(path: string, params: Readonly<Record<string, string | number>> = {}): string {
  const segments = path.split('/').map((segment) => {
    if (!segment.startsWith(':')) return segment
    const value = params[segment.slice(1)]
    if (value === undefined) throw new RangeError(`The skill path ${path} needs a value for ${segment}`)
    return encodeURIComponent(value)
  })
  const uri = canonicalUri(ROOT + segments.join('/') + SKILL_MD)
  if (!uri) throw new RangeError(`${segments.join('/')} is no skill path`)
  return uri
}
