import { textExpression } from '../literal.ts'
import type { Statement } from './check-code.ts'
import { checkFunction, checkValue, INDENT } from './check-code.ts'
import type { TemplateEngine } from './engine.ts'
import type { Part, Tag } from './tags.ts'
import { errorAt, tagsOf } from './tags.ts'

/** What Eta's own run time would have to do. */
const RUNTIME = /(?:^|[^\w.$])((?:include|layout|block|capture)(?:Async)?)\s*\(/

const OPENING = `(it) => {
  let out = ''
  const output = (text) => { out += text }
`

/**
 * Eta (`<% code %>`, `<%= value %>`), compiled to functions that need nothing of it. The data is `it`. Code
 * that stands alone on its line takes the line with it.
 */
export const eta: TemplateEngine = {
  hasTags: (text) => text.includes('<%'),
  compile(source) {
    const statements = withoutCodeLines(tagsOf(source)).flatMap((part) => {
      if (typeof part !== 'string') return [statementOf(part, source)]
      return part ? [{ code: `${INDENT}out += ${textExpression(part)}` }] : []
    })
    const isAsync = statements.some(({ code }) => /\bawait\b/.test(code))
    const body = statements.map(({ code }) => `${code};\n`).join('')
    const code = `${isAsync ? 'async ' : ''}${OPENING}${body}${INDENT}return out\n}`
    checkFunction(source, code, OPENING.split('\n').length - 1, statements)
    return code
  },
}

/** @throws Error with `line` and `column` for what is no JavaScript, or needs Eta. */
function statementOf(tag: Tag, source: string): Statement {
  const { isValue, code, start } = tag
  const [, helper] = RUNTIME.exec(code) ?? []
  if (helper)
    throw errorAt(
      source,
      start,
      `\`${helper}\` needs Eta at run time: pass what it would include as data instead`,
    )
  if (isValue) checkValue(source, tag)
  // A comment may end the code.
  return isValue ? { code: `${INDENT}out += (${code}\n)` } : { code: `${INDENT}${code}\n`, tag }
}

/** Takes away what is left of lines on which there is a tag of code and nothing else. */
function withoutCodeLines(parts: readonly Part[]): Part[] {
  const isAlone = parts.map((part, index) => {
    if (typeof part === 'string' || part.isValue) return false
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
