import { Eta } from 'eta/core'
import { textExpression } from '../literal.ts'
import type { TemplateEngine } from './engine.ts'

// Skills are Markdown and code, not HTML: values are written as they are, line breaks behind them included.
const parser = new Eta({ autoEscape: false, autoTrim: false })

/** What Eta's own run time would have to do. */
const RUNTIME = /(?:^|[^\w.$])((?:include|layout|block|capture)(?:Async)?)\s*\(/

/**
 * Eta (`<% code %>`, `<%= value %>`), compiled to functions that need nothing of it. The data is `it`. Code
 * that stands alone on its line takes the line with it.
 */
export const eta: TemplateEngine = {
  hasTags: (text) => text.includes('<%'),
  compile(source) {
    // Eta reads every line break as LF, and a file keeps its own.
    const mark = unused(source)
    const restore = (text: string): string => text.replaceAll(mark, '\r')
    const parts = parse(source.replaceAll('\r', mark)).map((part) =>
      typeof part === 'string' ? restore(unescape(part)) : { ...part, val: restore(part.val) },
    )
    const lines = withoutCodeLines(parts).flatMap((part) => {
      if (typeof part === 'string') return part ? [`  out += ${textExpression(part)}`] : []
      const [, helper] = RUNTIME.exec(part.val) ?? []
      if (helper)
        throw new Error(`\`${helper}\` needs Eta at run time: pass what it would include as data instead`)
      // A comment may end the code.
      return [part.t === 'e' ? `  ${part.val}\n` : `  out += (${part.val}\n)`]
    })
    const isAsync = lines.some((line) => /\bawait\b/.test(line))
    return `${isAsync ? 'async ' : ''}(it) => {
  let out = ''
  const output = (text) => { out += text }
${lines.join(';\n')};
  return out
}`
  },
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

type Part = ReturnType<Eta['parse']>[number]

/** Takes away what is left of lines on which there is a tag of code and nothing else. */
function withoutCodeLines(parts: readonly Part[]): Part[] {
  const isAlone = parts.map((part, index) => {
    if (typeof part === 'string' || part.t !== 'e') return false
    const [before = '', after = ''] = [parts[index - 1], parts[index + 1]]
    const begins = typeof before === 'string' && (index < 2 ? /(?:^|\n)[\t ]*$/ : /\n[\t ]*$/).test(before)
    const ends = index >= parts.length - 2 ? /^[\t ]*(?:\r?\n|$)/ : /^[\t ]*\r?\n/
    return begins && typeof after === 'string' && ends.test(after)
  })
  return parts.map((part, index) => {
    if (typeof part !== 'string') return part
    const text = isAlone[index + 1] ? part.replace(/[\t ]*$/, '') : part
    return isAlone[index - 1] ? text.replace(/^[\t ]*\r?\n/, '') : text
  })
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
