import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileOf } from '../ids.ts'
import type { Log } from '../messages.ts'
import { MacroError, macroLog, placeOf } from './error.ts'
import type { Transformed } from './transform.ts'
import { transformMacro } from './transform.ts'

/** What code with a call of the macro holds. */
export const MACRO_CODE: RegExp = /\bembedSkills\b/

/** As much of the context of `transform` as Rollup, Rolldown and Vite have in common. */
export interface TransformContext {
  error(log: Log): never
  getCombinedSourcemap(): object
}

/** `transformMacro` as a hook: what is wrong is shown where the author wrote it. */
export function transform(
  context: TransformContext,
  code: string,
  id: string,
  root: string,
): Transformed | undefined {
  try {
    return transformMacro(code, id, { root })
  } catch (error) {
    if (error instanceof MacroError) return context.error(logOf(error, code, id, context))
    throw error
  }
}

/** Plugins before may have moved everything: the source maps know from where. */
function logOf({ message, offset }: MacroError, code: string, id: string, context: TransformContext): Log {
  const file = fileOf(id)
  const place = placeOf(code, offset)
  const map = new SourceMap(context.getCombinedSourcemap() as ConstructorParameters<typeof SourceMap>[0])
  const entry = map.findEntry(place.line - 1, place.column)
  const source = readSource(file)
  if (!('originalLine' in entry) || source === undefined) return macroLog(message, file, code, place)
  return macroLog(message, file, source, { line: entry.originalLine + 1, column: entry.originalColumn })
}

function readSource(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
