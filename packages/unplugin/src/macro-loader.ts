import { compileMacro } from './macro/compile.ts'

/** As much of what a loader of webpack and Rspack sees. */
interface LoaderContext {
  readonly resourcePath: string
  getOptions(): { readonly root: string }
  callback(error: Error | null, code?: string, map?: object): void
}

/** Compiles the calls of the macro in a source file away, ahead of all other loaders. */
const load = function (this: LoaderContext, code: string): void {
  try {
    const transformed = compileMacro(code, this.resourcePath, this.getOptions().root)
    if (transformed) this.callback(null, transformed.code, JSON.parse(transformed.map.toString()) as object)
    else this.callback(null, code)
  } catch (error) {
    // Where the loader made it does not matter to whoever wrote the call.
    this.callback(Object.assign(error as Error, { name: 'SkillError', stack: '' }))
  }
}
export default load
