/** The UTF-16 unit `char` as JavaScript and JSON both write it. */
function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/*
 * Some tools go over finished code as if it were plain text. Bundlers print literals anew before that, so that an
 * escape in a literal is gone by then; what lasts is an escape inside of JSON that is parsed at run time. So it is
 * for one character of each text that is known to be replaced or acted upon: what looks like a placeholder
 * (`__VITE_PRELOAD__`, `__CLOUDFLARE_MODULE__`, `__VERSION__`; `!~{001}~` of Rollup's hashes), `process.env`,
 * `import.meta`, and `sourceMappingURL` or `sourceURL`, which end up at the start of a line in a template literal.
 */
const PLACEHOLDER =
  /(?<=_)_(?=[A-Z])|(?<=!)~(?=\{)|(?<=process|import)\.(?=env|meta)|(?<=source(?:Mapping)?)U(?=RL)/g

// And what a parser of code or of HTML may end at, lose or refuse, as long as the literal is ours.
const MARK = /(?<=<)[/!]|[\ufeff\u2028\u2029]/g

/** JSON in ASCII alone, with nothing in it that a tool could mistake for its own. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(PLACEHOLDER, unicodeEscape)
    .replace(MARK, unicodeEscape)
    .replace(/[^ -~]/g, unicodeEscape)
}

/** An expression that gives back exactly that text. Never a template: those change CRLF. */
export function textExpression(text: string): string {
  const json = JSON.stringify(text)
  const safe = json.replace(PLACEHOLDER, unicodeEscape)
  // Parsing takes longer than a literal, so only where it has to be.
  return safe === json ? json.replace(MARK, unicodeEscape) : `JSON.parse(${singleQuoted(safe)})`
}

/** The string that stands in the code for that text: the text, or the JSON that is parsed. */
export function textInCode(text: string): string {
  const json = JSON.stringify(text)
  const safe = json.replace(PLACEHOLDER, unicodeEscape)
  return safe === json ? text : safe
}

/** A string literal of JSON, in the quotes that leave JSON's own readable. */
export function singleQuoted(json: string): string {
  return `'${json.replace(/[\\']/g, '\\$&').replace(MARK, unicodeEscape)}'`
}
