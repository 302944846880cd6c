/** A value that YAML cannot read as it stands, and the line that says what was meant. */
export interface Quoted {
  readonly key: string
  /** The value as written, and its 1-based column. */
  readonly value: string
  readonly column: number
  /** The whole line, the value in quotes: `description: "Use when: x"`. */
  readonly line: string
  /** Why it needs them. */
  readonly because: 'colon' | 'start' | 'other'
}

const ENTRY = /^(\s*(?:- +)*)([^\s#:'"[{-][^:]*):[\t ]+(\S.*?)[\t ]*$/
const STARTS = /^(?:[[\]{}&*!|>%@`,#]|[-?:][\t ])/

/** Line `number` (1-based) of `yaml` with its value in quotes; undefined if that is no answer. */
export function quoteLine(yaml: string, number: number): Quoted | undefined {
  const match = ENTRY.exec(yaml.split('\n')[number - 1] ?? '')
  if (match === null) return undefined
  const [, indent = '', key = '', value = ''] = match
  if (/^(["']).*\1$/.test(value) && !value.slice(1, -1).includes(value[0]!)) return undefined
  return {
    key,
    value,
    column: match[0].trimEnd().length - value.length + 1,
    line: `${indent.trimStart()}${key}: ${quote(value)}`,
    because: STARTS.test(value) ? 'start' : /:(?:[\t ]|$)/.test(value) ? 'colon' : 'other',
  }
}

/** `text` as a YAML string that every reader reads alike. */
export function quote(text: string): string {
  if (!/["\\\p{Cc}]/u.test(text)) return `"${text}"`
  if (!/\p{Cc}/u.test(text)) return `'${text.replaceAll("'", "''")}'`
  return JSON.stringify(text)
}
