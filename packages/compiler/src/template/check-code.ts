import { Script } from 'node:vm'
import type { Tag } from './tags.ts'
import { errorAt } from './tags.ts'

/** A statement of the function that a template becomes. */
export interface Statement {
  readonly code: string
  /** The tag whose code stands in it, after `INDENT`. */
  readonly tag?: Tag
}

/** Ahead of the code of a tag. */
export const INDENT = '  '

/**
 * Looks at the value of a tag by itself: it is an expression, whatever stands around it.
 *
 * @throws Error with `line` and `column` in the template.
 */
export function checkValue(source: string, tag: Tag): void {
  const wrong = syntaxError(`async () => (\n${tag.code}\n)`)
  if (!wrong) return
  refuseUnclosed(source, [tag])
  throw errorAt(source, tag.start + offsetIn(tag.code, wrong.line - 2, wrong.column), wrong.message)
}

/**
 * Looks at the whole function, since code may begin in one tag and end in another. Nothing is run.
 *
 * @param opening The number of lines ahead of the first statement. Each statement ends with `;` and a line break.
 * @throws Error with `line` and `column` in the template.
 */
export function checkFunction(
  source: string,
  code: string,
  opening: number,
  statements: readonly Statement[],
): void {
  const wrong = syntaxError(`(${code}\n)`)
  if (!wrong) return
  let line = opening + 1
  for (const { code, tag } of statements) {
    const lines = breaksIn(code) + 1
    if (wrong.line < line + lines) {
      // What is wrong with text is that the code before it has ended the function.
      if (!tag) break
      const indent = wrong.line === line ? INDENT.length : 0
      const within = offsetIn(tag.code, wrong.line - line, wrong.column - indent)
      throw errorAt(source, tag.start + within, wrong.message)
    }
    line += lines
  }
  refuseUnclosed(
    source,
    statements.flatMap(({ tag }) => tag ?? []),
  )
  throw new Error(wrong.message)
}

/** Where the engine finds a syntax error: 1-based, by the head of its stack. */
function syntaxError(code: string): { message: string; line: number; column: number } | undefined {
  try {
    return void new Script(code, { filename: 'template' })
  } catch (error) {
    const { message, stack = '' } = error as Error
    const [, line = 1, , indent = ''] = /^template:(\d+)\n(.*)\n([ \t]*)\^/.exec(stack) ?? []
    return { message, line: Number(line), column: indent.length + 1 }
  }
}

const BREAK = /\r\n|[\n\r\u2028\u2029]/g

function breaksIn(code: string): number {
  return code.match(BREAK)?.length ?? 0
}

/** The offset of a line, from 0, and a column, from 1; the end of the code for what lies behind it. */
function offsetIn(code: string, line: number, column: number): number {
  const starts = [0, ...[...code.matchAll(BREAK)].map(({ 0: text, index }) => index + text.length)]
  const start = starts[Math.max(0, line)]
  if (start === undefined) return code.trimEnd().length
  return Math.min(start + Math.max(0, column - 1), code.length)
}

/** What brackets are looked for in: comments and strings are passed over. */
const TOKEN = /\/\*[^]*?\*\/|\/\/.*|'(?:\\[^]|[^'\\])*'|"(?:\\[^]|[^"\\])*"|`(?:\\[^]|[^`\\])*`|[()[\]{}]/g

/** @throws Error at the innermost bracket that is not closed, if there is one. */
function refuseUnclosed(source: string, tags: readonly Tag[]): void {
  const open: { bracket: string; offset: number }[] = []
  for (const { code, start } of tags)
    for (const { 0: token, index } of code.matchAll(TOKEN)) {
      if (/^[([{]$/.test(token)) open.push({ bracket: token, offset: start + index })
      else if (/^[)\]}]$/.test(token)) open.pop()
    }
  const last = open.at(-1)
  if (last) throw errorAt(source, last.offset, `\`${last.bracket}\` is not closed`)
}
