import { Script } from 'node:vm'
import { decode } from '../frontmatter/text.ts'
import type { Position } from '../frontmatter/text.ts'
import { textExpression } from '../literal.ts'
import type { TemplateEngine } from './engine.ts'

/** What is wrong with a template. */
export interface TemplateFault {
  /** Absolute; in a draft, relative to the root. */
  readonly file: string
  readonly message: string
  readonly help: string
  readonly at?: Position | undefined
}

/** The source of the function that a template becomes, or why it becomes none. */
export type CompiledTemplate = { readonly code: string } | { readonly fault: TemplateFault }

// As the official SDK splits it, with the line break behind.
const HEAD = /^\uFEFF?---\r?\n(?:[^]*?\r?\n)?---[\t ]*(?:\r?\n|$)/

/**
 * Compiles a template. The frontmatter of a `SKILL.md` is known when it is built, so it stays as it is
 * and the engine sees the body alone.
 */
export async function compileTemplate(
  bytes: Uint8Array,
  file: string,
  isSkillMd: boolean,
  engine: TemplateEngine,
): Promise<CompiledTemplate> {
  const fault = (message: string, help: string, at?: Position): CompiledTemplate => ({
    fault: { file, message, help, at },
  })
  const decoded = decode(bytes)
  if ('encoding' in decoded)
    return fault(`The template is ${decoded.encoding}`, 'Save it as UTF-8.', decoded.at)
  const { text } = decoded
  const head = isSkillMd ? (HEAD.exec(text)?.[0] ?? '') : ''
  if (engine.hasTags(head)) {
    const line = head.split('\n').findIndex((line) => engine.hasTags(line)) + 1
    return fault(
      'The frontmatter holds a template tag',
      'Write frontmatter that is the same for all data, and put what differs into the body.',
      line > 0 ? { line, column: 1 } : undefined,
    )
  }
  try {
    const code = await engine.compile(text.slice(head.length), file)
    // It is checked here, where there is a file to name, and never run.
    const script = new Script(`(${code}\n)`)
    return { code: script && head ? withHead(head, code) : code }
  } catch (error) {
    const { message, line, column = 1 } = error as Error & Partial<Position>
    const before = head.split('\n').length - 1
    return fault(
      `The template cannot be compiled: ${message}`,
      'Mend the tag; in Eta, `<%= it.name %>` writes a value and `<% code %>` runs code.',
      line === undefined ? undefined : { line: line + before, column },
    )
  }
}

function withHead(head: string, code: string): string {
  return `(data) => {
  const head = ${textExpression(head)}
  const body = (${code}
)(data)
  return typeof body === 'string' ? head + body : body.then((body) => head + body)
}`
}
