import path from 'node:path'

/** A link to a file, as Markdown has it. */
export interface Link {
  /** As written: `../shared/policy.md#terms`. */
  readonly target: string
  /** Decoded, without what follows the path. */
  readonly path: string
  /** Offset of the target in the text. */
  readonly offset: number
}

/** `](target`, and `[label]: target` on a line of its own; not what begins with a scheme, `#` or `//`. */
const INLINE =
  /\]\([\t ]*(?!#|\/\/|[A-Za-z][A-Za-z\d+.-]*:)(?:<([^<>\n]+)>|([^\s()<>]+(?:\([^\s()]*\)[^\s()]*)*))/g
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:[\t ]+(?!#|\/\/|[A-Za-z][A-Za-z\d+.-]*:)(?:<([^<>\n]+)>|(\S+))/gm

/** Not meant as a file: a template, an ellipsis, or the word that an example puts where a URL would stand. */
const PLACEHOLDER = /[{}$*|]|\.\.\.|…|^[\w-]+$/

/** What looks like links to files in Markdown; `codeIn` tells which are none. */
export function linksIn(text: string): Link[] {
  const found: Link[] = []
  const patterns = text.includes(']:') ? [INLINE, DEFINITION] : [INLINE]
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) {
      const target = (match[1] ?? match[2])!
      const below = PLACEHOLDER.test(target) ? undefined : pathOf(target)
      if (below === undefined) continue
      found.push({ target, path: below, offset: match.index + match[0].indexOf(target, 2) })
    }
  }
  return found
}

function pathOf(target: string): string | undefined {
  const [bare = ''] = target.split(/[#?]/, 1)
  if (bare === '') return undefined
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare
  }
}

/** Fenced blocks, HTML comments and code spans. */
const CODE =
  /^ *(?:> *|[-*+] +|\d+[.)] +)*(`{3,}|~{3,})[^\n]*\n(?:[^]*?\n)??[\t >]*\1[`~]*[\t ]*$|<!--[^]*?-->|(?<!`)(`+)(?!`)(?:[^`\n]|(?!\2)`)+?\2(?!`)/gm

/** Tells of an offset whether code, or a comment, stands there: links in it are not meant to be followed. */
export function codeIn(text: string): (offset: number) => boolean {
  const spans = Array.from(text.matchAll(CODE), ({ index, 0: code }) => [index, index + code.length] as const)
  return (offset) => spans.some(([start, end]) => start <= offset && offset < end)
}

/** Where a link in the file at `from` leads, below the skill's folder; begins with `..` if it leads out. */
export function resolveLink(from: string, target: string): string {
  const resolved = path.posix.normalize(path.posix.join(path.posix.dirname(from), target))
  return resolved.replace(/\/$/, '')
}
