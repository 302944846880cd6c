import { codeFrame } from '@embed-skills/compiler'
import type { Log } from '../messages.ts'

/** A call that cannot be compiled, and where it is in the code that was given. */
export class MacroError extends Error {
  override readonly name = 'MacroError'
  /** UTF-16 offset. */
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** The line, from 1, and the column, from 0, of an offset. */
export function placeOf(code: string, offset: number): { line: number; column: number } {
  const before = code.slice(0, offset).split('\n')
  return { line: before.length, column: before.at(-1)!.length }
}

/** The message of an error as bundlers show it. */
export function macroLog(
  message: string,
  file: string,
  code: string,
  place: { line: number; column: number },
): Log {
  const { line, column } = place
  return {
    message: `${file}:${line}:${column + 1}: ${message}`,
    id: file,
    loc: { file, line, column },
    frame: codeFrame(code, line, column + 1),
  }
}
