import { isUtf8 } from 'node:buffer'

/** A place in a file: 1-based line and column, the column in UTF-16 code units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Text, or what the bytes are instead and where the first wrong one stands. */
export type Decoded =
  | { readonly text: string }
  | { readonly encoding: 'UTF-16 LE' | 'UTF-16 BE' | 'not UTF-8'; readonly at: Position }

// `ignoreBOM` means that the mark is kept in the text.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Decodes `bytes` only if nothing is lost by it; a BOM is kept. */
export function decode(bytes: Uint8Array): Decoded {
  if (isUtf8(bytes)) return { text: decoder.decode(bytes) }
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'UTF-16 LE', at: { line: 1, column: 1 } }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'UTF-16 BE', at: { line: 1, column: 1 } }
  const lossy = decoder.decode(bytes)
  return { encoding: 'not UTF-8', at: positionAt(lossy, lossy.indexOf('\uFFFD')) }
}

/** The line and column of an offset in `text`. */
export function positionAt(text: string, offset: number): Position {
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line++
    start = end + 1
  }
  return { line, column: offset - start + 1 }
}
