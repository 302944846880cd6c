/** The UTF-16 unit `char` as JavaScript and JSON both write it. */
function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** JSON in ASCII alone: no tool on the way can mistake its encoding. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(/[^ -~]/g, unicodeEscape)
}

// What a later tool might act upon inside of a string, with one character of each escaped:
// `</script>` and `<!--` end or open things in HTML, a BOM and the two line separators are lost or
// refused by some parsers, and the rest are marks that bundlers search code for as plain text.
const MARKS =
  /(?<=<)[/!]|[\ufeff\u2028\u2029]|(?<=sourceMapping)U(?=RL)|(?<=\bimport)\.(?=meta)|(?<=_)_(?=VITE|vite)|(?<=process)\.(?=env)/g

/** A string literal of text that gives back exactly that text. Never a template: those change CRLF. */
export function textLiteral(text: string): string {
  return JSON.stringify(text).replace(MARKS, unicodeEscape)
}

/** A string literal of ASCII JSON, in the quotes that leave JSON's own readable. */
export function singleQuoted(json: string): string {
  return `'${json.replace(/[\\']/g, '\\$&').replace(MARKS, unicodeEscape)}'`
}
