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
export function holds(file: SkillFile, needle: string): boolean {
  return viewOf(file).includes(needle, 0, 'latin1')
}

/** The bytes of a file, to search. */
export function viewOf({ bytes }: SkillFile): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** The place of a byte of a file. */
export function placeOf({ bytes }: SkillFile, offset: number): Position {
  const before = decoder.decode(bytes.subarray(0, offset))
  return positionAt(before, before.length)
}
