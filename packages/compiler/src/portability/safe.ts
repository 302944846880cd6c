import type { ScalarFact } from '../frontmatter/json.ts'
import type { Manifest } from '../frontmatter/parse.ts'

/*
 * A grammar of frontmatter that every reader sees alike. That it is one is shown by property tests against all
 * readers (`safe.test.ts`); whatever lies outside of it may be just as portable, but has to be compared.
 */

/** Characters that some reader refuses, takes for a line break or an indentation, or drops. */
// eslint-disable-next-line no-control-regex -- those are what is looked for
const ODD_CHARACTER = /[\0-\t\v-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/u

/** Words that are no text to some reader. */
const WORD = /^(?:y|yes|n|no|on|off|true|false|null|nan|inf)$/i

/** Begins like text: no digit, sign or dot, and nothing that has a meaning in YAML. */
const TEXT_START = /^[A-Za-z_(/$;\u00a1-\ud7ff\ue000-\ufdcf\ufdf0-\uffef\u{10000}-\u{10fffd}]/u

/** A digit may begin a text as well, if it holds a letter that no number, date or time can hold. */
const NUMBERED_TEXT = /^\d[\d.]*[ -]?[g-npqrsuvwG-NPQRSUVW]/

/** Three numbers or more are no number. */
const VERSION = /^\d{1,9}(?:\.\d{1,9}){2,}$/

const NUMBER = /^(?:0|-?[1-9]\d{0,14}|-?(?:0|[1-9]\d{0,9})\.\d{1,6})$/

/** Nothing that could begin a comment, a key, or, in brackets, another entry. */
const FLOW_TEXT = /^[A-Za-z][\w .\-/+()]*$/

/** Whether all readers see this frontmatter alike, so that none has to be asked. */
export function isSafe({ yaml, frontmatter, subset, scalars }: Manifest): boolean {
  if (yaml === undefined || frontmatter === undefined || subset.length > 0) return false
  if (ODD_CHARACTER.test(yaml)) return false
  return scalars.every((scalar) => (scalar.part === 'key' ? isSafeKey(scalar) : isSafeValue(scalar, yaml)))
}

function isSafeKey({ style, source }: ScalarFact): boolean {
  if (style === 'plain') return /^[A-Za-z_][\w./-]*$/.test(source) && !WORD.test(source)
  return isSafeQuoted(style, source)
}

function isSafeValue({ style, source, flow, start, end }: ScalarFact, yaml: string): boolean {
  if (style === 'block') return isSafeBlock(yaml.slice(start, end))
  if (style !== 'plain') return isSafeQuoted(style, source)
  // A comment right after a text may be a text that was cut.
  if (source === '' || source === 'true' || source === 'false' || source === 'null')
    return !flow || source !== ''
  if (NUMBER.test(source) || VERSION.test(source)) return true
  if (WORD.test(source)) return false
  if (flow) return FLOW_TEXT.test(source)
  if (/[:#]\s*$/.test(source)) return false
  const [first = '', ...others] = source.split('\n')
  if (!TEXT_START.test(first) && !NUMBERED_TEXT.test(first)) return false
  return others.every((line) => /^ +[A-Za-z(]/.test(line) && !/ #/.test(line))
}

function isSafeQuoted(style: ScalarFact['style'], source: string): boolean {
  if (source.includes('\n')) return false
  return style === 'single' || !/\\(?![\\"n])/.test(source.replaceAll('\\\\', ''))
}

/** The header alone on its line, then lines that are all indented alike, blank ones apart. */
function isSafeBlock(source: string): boolean {
  const [header = '', ...lines] = source.split('\n')
  if (!/^[|>][+-]?$/.test(header)) return false
  const texts = lines.filter((line) => line !== '')
  const indent = /^ */.exec(texts[0] ?? '')![0]
  if (indent === '' || lines[0] === '') return false
  if (texts.some((line) => line.trim() === '')) return false
  // In a folded text, lines that are indented further are not folded, and readers differ around them.
  const own = new RegExp(`^${indent}[^ ]`)
  return texts.every((line) => (header[0] === '|' ? line.startsWith(indent) : own.test(line)))
}
