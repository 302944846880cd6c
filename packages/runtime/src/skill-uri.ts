import { isName, isSegment } from './define/path.ts'
import { canonicalUri, ROOT, SKILL_MD } from './uri.ts'

/**
 * The URI of a skill, to name it in instructions and tool results. A segment that begins with `:` takes
 * its value from `params`, as in the path of a route.
 *
 * @throws RangeError if a value is missing, or is one that no route takes: a segment is letters, digits, `.`,
 *   `_`, `~` and `-`, the first a letter or digit, and the last one of a path is a name.
 *
 * @example
 * skillUri('acme/refunds') // 'skill://acme/refunds/SKILL.md'
 * skillUri('studies/:studyId/study-review', { studyId: 42 }) // 'skill://studies/42/study-review/SKILL.md'
 */
export function skillUri(path: string, params: Readonly<Record<string, string | number>> = {}): string {
  const segments = path.split('/').map((segment, index, all) => {
    if (!segment.startsWith(':')) return segment
    const value = params[segment.slice(1)]
    if (value === undefined) throw new RangeError(`The skill path ${path} needs a value for ${segment}`)
    const text = String(value)
    const isProper = index === all.length - 1 ? isName(text) : isSegment(text)
    if (!isProper) throw new RangeError(`No route takes ${JSON.stringify(text)} for ${segment} of ${path}`)
    return text
  })
  const uri = canonicalUri(ROOT + segments.join('/') + SKILL_MD)
  if (!uri) throw new RangeError(`${segments.join('/')} is no skill path`)
  return uri
}
