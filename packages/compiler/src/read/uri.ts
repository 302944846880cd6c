/** What a WHATWG URL escapes in a path segment, and `%`, `/` and `\`: as the official SDK (protocol E11). */
const ESCAPED = /[^\w!$&'()*+,.:;=@[\]|~-]/gu

/** @throws {URIError} on a lone surrogate. */
function encodeSegment(segment: string): string {
  return segment.replaceAll(ESCAPED, (character) => encodeURIComponent(character))
}

/** `acme/refunds` -> `skill://acme/refunds`; undefined if no URI can say it. */
export function skillUri(path: string): string | undefined {
  const [authority = '', ...rest] = path.split('/')
  try {
    return canonical([`skill://${encodeURIComponent(authority)}`, ...rest.map(encodeSegment)].join('/'))
  } catch {
    return undefined
  }
}

/** The URI of a file or folder named `name` right below `parent`; undefined if no URI can say it. */
export function childUri(parent: string, name: string): string | undefined {
  try {
    return canonical(`${parent}/${encodeSegment(name)}`)
  } catch {
    return undefined
  }
}

/** A host compares URIs after parsing them: one that parsing changes would never be found. */
function canonical(uri: string): string | undefined {
  return new URL(uri).href === uri ? uri : undefined
}
