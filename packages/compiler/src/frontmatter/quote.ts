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

/** What is a line break to some readers, or refused by them. */
const ODD = /[\p{Cc}\u2028\u2029\uFEFF]/u

/** `text` as a YAML string that every reader reads alike. */
export function quote(text: string): string {
  if (ODD.test(text)) return JSON.stringify(text).replaceAll(/[\x7f-\x9f\u2028\u2029\uFEFF]/g, escape)
  if (!/["\\]/.test(text)) return `"${text}"`
  return `'${text.replaceAll("'", "''")}'`
}

/** The same, if quotes alone are enough: undefined if a character would have to be escaped. */
export function quoteOnly(text: string): string | undefined {
  return ODD.test(text) ? undefined : quote(text)
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
