/** The scheme and the slashes ahead of a skill path. */
export const ROOT = 'skill://'

/** The end of the URI by which a skill is known. */
export const SKILL_MD = '/SKILL.md'

// What WHATWG URLs leave as it is in a path segment, less what would end one (protocol E11).
const ENCODED = /[^\w!$&'()*+,.:;=@[\]|~-]/gu

// Most URIs are spelled in the one way there is for them.
const PLAIN = /^skill:\/(\/\w[\w.-]*)+$/

/**
 * The one spelling that all ways of writing a file's URI share, or '' for what no file can have:
 * another scheme, a query, a fragment, an empty or dot segment, `%2F` or NUL.
 *
 * @example
 * canonicalUri('SKILL://acme/Q%26A.md') // 'skill://acme/Q&A.md'
 */
export function canonicalUri(uri: unknown): string {
  try {
    // Methods of strings alone: an array would pass for the string that it becomes.
    if ((uri as string).match(PLAIN)) return uri as string
    const [, path] = (uri as string).match(/^skill:\/\/([^?#]+)$/i)!
    return ROOT + path!.split('/').map(canonicalSegment).join('/')
  } catch {
    return ''
  }
}

/** The one order of entries, files and cursors. */
export function byUri(a: { readonly uri: string }, b: { readonly uri: string }): number {
  return a.uri < b.uri ? -1 : 1
}

function canonicalSegment(segment: string): string {
  const name = decodeURIComponent(segment)
  if (/^\.{0,2}$|[/\0]/.test(name)) throw new Error()
  return name.replace(ENCODED, encodeURIComponent)
}
