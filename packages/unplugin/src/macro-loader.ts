import { compileMacro } from './macro/compile.ts'

/** As much of what a loader of webpack and Rspack sees. */
interface LoaderContext {
  readonly resourcePath: string
  getOptions(): { readonly root: string }
  callback(error: Error | null, code?: string, map?: object): void
}

/** Compiles the calls of the macro in a source file away, ahead of all other loaders. */
const load = function (this: LoaderContext, code: string): void {
  const transformed = compileMacro(code, this.resourcePath, this.getOptions().root)
  if (transformed) this.callback(null, transformed.code, JSON.parse(transformed.map.toString()) as object)
  else this.callback(null, code)
}
export default load
