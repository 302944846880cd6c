import { readFile } from 'node:fs/promises'
import { MacroError, macroLog, placeOf } from './error.ts'
import type { Transformed } from './transform.ts'
import { transformMacro } from './transform.ts'

/** What files may hold a call of the macro. */
export const SOURCE: RegExp = /\.[cm]?[jt]sx?$/

/** `compileMacro` for bundlers that hand over no code. */
export async function readMacro(file: string, root: string): Promise<Transformed | undefined> {
  return compileMacro(await readFile(file, 'utf8'), file, root)
}

/**
 * `transformMacro` for bundlers that keep nothing of an error but its message.
 *
 * @param file Absolute.
 * @throws Error for a call that cannot be compiled, with its place and the lines around it.
 */
export function compileMacro(code: string, file: string, root: string): Transformed | undefined {
  try {
    return transformMacro(code, file, { root })
  } catch (error) {
    if (!(error instanceof MacroError)) throw error
    const { message, frame } = macroLog(error.message, file, code, placeOf(code, error.offset))
    throw new Error(`${message}\n${frame}`, { cause: error })
  }
}
