import { MacroError, macroLog, placeOf } from './macro/error.ts'
import { transformMacro } from './macro/transform.ts'

/** As much of what a loader of webpack and Rspack sees. */
interface LoaderContext {
  readonly resourcePath: string
  getOptions(): { readonly root: string }
  callback(error: Error | null, code?: string, map?: object): void
}

/** Compiles the calls of the macro in a source file away, ahead of all other loaders. */
const load = function (this: LoaderContext, code: string): void {
  const file = this.resourcePath
  try {
    const transformed = transformMacro(code, file, this.getOptions())
    if (transformed) this.callback(null, transformed.code, JSON.parse(transformed.map.toString()) as object)
    else this.callback(null, code)
  } catch (error) {
    if (!(error instanceof MacroError)) throw error
    const { message, frame } = macroLog(error.message, file, code, placeOf(code, error.offset))
    this.callback(Object.assign(new Error(`${message}\n${frame}`), { name: 'SkillError', stack: '' }))
  }
}
export default load
