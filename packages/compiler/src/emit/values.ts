import type { SkillFile } from '../types.ts'
import { textExpression, textInCode } from '../literal.ts'

/**
 * How strings are written. `utf8`: as they are. `base64`: for builds in which another plugin rewrites
 * what stands in strings; the module decodes itself.
 */
export type Encoding = 'utf8' | 'base64'

// A BOM is three of the file's bytes, so it stays.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A file's contents as the runtime takes them: the text, or the base64 of the bytes. */
export function plainValue({ kind, bytes }: SkillFile): string {
  return kind === 'text' ? decoder.decode(bytes) : toBase64(bytes)
}

/** The string that stands in the module for a file's contents. */
export function contentValue(file: SkillFile, encoding: Encoding): string {
  return isText(file, encoding) ? textInCode(decoder.decode(file.bytes)) : toBase64(file.bytes)
}

function isText({ kind }: SkillFile, encoding: Encoding): boolean {
  return kind === 'text' && encoding === 'utf8'
}

const literals: Record<Encoding, WeakMap<Uint8Array, string>> = { utf8: new WeakMap(), base64: new WeakMap() }

/** The expression of a content, kept as long as the bytes are: a watch mode writes the same ones again and again. */
export function contentExpression(file: SkillFile, encoding: Encoding): string {
  const known = literals[encoding].get(file.bytes)
  if (known !== undefined) return known
  const literal = isText(file, encoding)
    ? textExpression(decoder.decode(file.bytes))
    : `"${toBase64(file.bytes)}"`
  literals[encoding].set(file.bytes, literal)
  return literal
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
}
