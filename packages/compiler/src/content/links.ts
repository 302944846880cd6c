import path from 'node:path'
import { positionAt } from '../frontmatter/text.ts'
import type { Position } from '../frontmatter/text.ts'

/** A link to a file, as Markdown has it. */
export interface Link {
  /** As written: `../shared/policy.md#terms`. */
  readonly target: string
  /** Decoded, without what follows the path. */
  readonly path: string
  readonly at: Position
}

/** `](target`, and `[label]: target` on a line of its own; not what begins with a scheme, `#` or `//`. */
const INLINE =
  /\]\([\t ]*(?!#|\/\/|[A-Za-z][A-Za-z\d+.-]*:)(?:<([^<>\n]+)>|([^\s()<>]+(?:\([^\s()]*\)[^\s()]*)*))/g
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:[\t ]+(?!#|\/\/|[A-Za-z][A-Za-z\d+.-]*:)(?:<([^<>\n]+)>|(\S+))/gm

/** Not meant as a file: a template, an ellipsis, or the word that an example puts where a URL would stand. */
const PLACEHOLDER = /[{}$*|]|\.\.\.|…|^[\w-]+$/

/** The links to files in Markdown; what stands in code is none. */
export function linksIn(text: string): Link[] {
  const found: Link[] = []
  let code: readonly (readonly [number, number])[] | undefined
  const patterns = text.includes(']:') ? [INLINE, DEFINITION] : [INLINE]
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) {
      const target = (match[1] ?? match[2])!
      if (PLACEHOLDER.test(target)) continue
      code ??= codeIn(text)
      if (code.some(([start, end]) => start <= match.index && match.index < end)) continue
      const offset = match.index + match[0].indexOf(target, 2)
      const below = pathOf(target)
      if (below !== undefined) found.push({ target, path: below, at: positionAt(text, offset) })
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
function codeIn(text: string): [number, number][] {
  const blocks: [number, number][] = []
  for (const match of text.matchAll(
    /^ *(?:> *|[-*+] +|\d+[.)] +)*(`{3,}|~{3,})[^\n]*\n(?:[^]*?\n)??[\t >]*\1[`~]*[\t ]*$|<!--[^]*?-->|(?<!`)(`+)(?!`)(?:[^`\n]|(?!\2)`)+?\2(?!`)/gm,
  )) {
    blocks.push([match.index, match.index + match[0].length])
  }
  return blocks
}

/** Where a link in the file at `from` leads, below the skill's folder; begins with `..` if it leads out. */
export function resolveLink(from: string, target: string): string {
  const resolved = path.posix.normalize(path.posix.join(path.posix.dirname(from), target))
  return resolved.replace(/\/$/, '')
}
