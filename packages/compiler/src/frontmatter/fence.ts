import { positionAt } from './text.ts'
import type { Position } from './text.ts'

/** What stands between the two `---` lines of a `SKILL.md`, or why there are none. */
export type Fenced =
  | {
      /** The YAML, with CRLF read as LF. Its first line is the file's second. */
      readonly yaml: string
    }
  | { readonly fault: FenceFault; readonly at: Position }

export type FenceFault =
  /** No line `---` in the first lines at all. */
  | 'none'
  /** Something stands before the opening line. */
  | 'late'
  /** The first line begins with `---` and goes on. */
  | 'opener'
  /** Lines end with a lone CR. */
  | 'carriage-return'
  /** No closing line. */
  | 'unclosed'
  /** `...` where `---` should close. */
  | 'dots'

const BOM = '\uFEFF'

/**
 * Splits off the frontmatter exactly as the official SDK does: one BOM may lead, the first line is `---`
 * (blanks after it are not allowed), the next line of `---` and blanks closes.
 */
export function splitFence(text: string): Fenced {
  const lines = (text.startsWith(BOM) ? text.slice(1) : text).replaceAll('\r\n', '\n')
  if (!lines.startsWith('---\n')) return openingFault(lines)
  const rest = lines.slice(4)
  const closer = /^---[\t ]*$/m.exec(rest)
  if (closer !== null) return { yaml: rest.slice(0, closer.index) }
  const dots = /^\.\.\.[\t ]*$/m.exec(rest)
  if (dots !== null) return { fault: 'dots', at: positionAt(lines, dots.index + 4) }
  return { fault: 'unclosed', at: { line: 1, column: 1 } }
}

function openingFault(lines: string): Fenced {
  const start = { line: 1, column: 1 }
  if (lines.startsWith('---\r')) return { fault: 'carriage-return', at: start }
  if (lines.startsWith('---')) return { fault: 'opener', at: start }
  const late = /^[\t \uFEFF]*---[\t ]*$/m.exec(lines)
  // A rule further down in a body that has no frontmatter is not meant as one.
  if (late === null || positionAt(lines, late.index).line > 20) return { fault: 'none', at: start }
  return { fault: 'late', at: start }
}
