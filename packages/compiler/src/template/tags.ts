import { Eta } from 'eta/core'
import { positionAt } from '../frontmatter/text.ts'

/** A tag of a template. */
export interface Tag {
  /** Whether it writes a value (`<%= value %>`) or runs code (`<% code %>`). */
  readonly isValue: boolean
  readonly code: string
  /** The offset of the code in the template. */
  readonly start: number
}

/** A template in order: the text between tags as it is, and the tags. */
export type Part = string | Tag

// Skills are Markdown and code, not HTML: values are written as they are, line breaks behind them included.
const parser = new Eta({ autoEscape: false, autoTrim: false })

/** @throws Error with `line` and `column` where a tag, a string or a comment has no end. */
export function tagsOf(source: string): Part[] {
  // Eta reads every line break as LF, and a file keeps its own.
  const mark = unused(source)
  const restore = (text: string): string => text.replaceAll(mark, '\r')
  const opening = /<%[-_]?\s*[=~]?\s*/g
  return parse(source.replaceAll('\r', mark)).map((part) => {
    if (typeof part === 'string') return restore(unescape(part))
    opening.exec(source)
    const start = opening.lastIndex
    opening.lastIndex += part.val.length
    return { isValue: part.t !== 'e', code: restore(part.val), start }
  })
}

function parse(source: string): ReturnType<Eta['parse']> {
  try {
    return parser.parse(source)
  } catch (error) {
    const { message } = error as Error
    const [, line, column] = /at line (\d+) col (\d+)/.exec(message) ?? []
    const [first] = message.split('\n')
    throw Object.assign(
      new Error(first!.replace(/ at line \d+ col \d+:?$/, '')),
      line !== undefined && { line: Number(line), column: Number(column) },
    )
  }
}

/** An error at an offset of the template. */
export function errorAt(source: string, offset: number, message: string): Error {
  return Object.assign(new Error(message), positionAt(source, offset))
}

/** Text between tags comes as the inside of a JavaScript string in single quotes. */
function unescape(text: string): string {
  return text.replaceAll(/\\([^])/g, (_, char: string) => (char === 'n' ? '\n' : char))
}

/** A character that is not in a text. */
function unused(text: string): string {
  let code = 0xe000
  while (text.includes(String.fromCharCode(code))) code++
  return String.fromCharCode(code)
}
