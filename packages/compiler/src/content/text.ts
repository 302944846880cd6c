import { positionAt } from '../frontmatter/text.ts'
import type { Position } from '../frontmatter/text.ts'
import type { SkillFile } from '../types.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const decoded = new WeakMap<Uint8Array, string>()

/** The text of a file that is text; skills that nest share it. */
export function textOf({ bytes }: SkillFile): string {
  let text = decoded.get(bytes)
  if (text === undefined) {
    text = decoder.decode(bytes)
    decoded.set(bytes, text)
  }
  return text
}

/** Whether the bytes of `needle`, which is ASCII, are among those of a file. */
export function holds({ bytes }: SkillFile, needle: string): boolean {
  return viewOf(bytes).includes(needle, 0, 'latin1')
}

/**
 * A text to search for ASCII: the text itself where it has been decoded already, else one character a byte, which is
 * quicker to make.
 */
export function searchable(file: SkillFile): string {
  return decoded.get(file.bytes) ?? viewOf(file.bytes).toString('latin1')
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** The place of what was found at an offset of `searchable(file)`. */
export function placeOf(file: SkillFile, offset: number): Position {
  const known = decoded.get(file.bytes)
  if (known !== undefined) return positionAt(known, offset)
  const before = decoder.decode(file.bytes.subarray(0, offset))
  return positionAt(before, before.length)
}
