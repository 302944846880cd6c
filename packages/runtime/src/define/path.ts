import { canonicalUri, ROOT } from '../uri.ts'

const SEGMENT = /^[\da-z][\w.~-]*$/i
const NAME = /^(?=.{1,64}$)[\da-z]+(?:-[\da-z]+)*$/

/** Whether a name obeys the Agent Skills rules (protocol E2). */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value)
}

/** Whether a segment may stand before a skill's name (feature N5). */
export function isSegment(value: string): boolean {
  return SEGMENT.test(value)
}

/** Whether the segments of a path make a skill path. */
export function isSkillPath(segments: readonly string[]): boolean {
  return isName(segments.at(-1)) && segments.every(isSegment)
}

/**
 * The folder of a skill by its path: `skill://acme/refunds`.
 *
 * @throws TypeError for what is no skill path.
 */
export function rootAt(path: string): string {
  const segments = path.split('/')
  if (!isName(segments.at(-1)))
    throw new TypeError(
      `The skill path "${path}" must end in a name: 1 to 64 of a-z and 0-9, with single hyphens between`,
    )
  const bad = segments.find((segment) => !isSegment(segment))
  if (bad !== undefined)
    throw new TypeError(
      `The skill path "${path}" has the segment "${bad}": a segment is letters, digits, ".", "_", "~" and "-", the first a letter or digit`,
    )
  return ROOT + path
}

/**
 * The URI of a file below a folder. The path is relative, with `/` between segments (feature P8).
 *
 * @throws TypeError for an absolute path, `.` or `..`, a backslash and control characters.
 */
export function fileUri(root: string, path: string): string {
  // A backslash is a separator to some hosts; control characters are in no file's name.
  const uri = /[\\\uFFFD\p{Cc}\p{Surrogate}]/u.test(path)
    ? ''
    : canonicalUri(`${root}/${path.split('/').map(encodeURIComponent).join('/')}`)
  if (!uri)
    throw new TypeError(
      `"${path}" is no path of a file in a skill: write it relative to the skill, without "." and ".." and with single "/"`,
    )
  return uri
}
