import type { LoaderContext } from './webpack-like.ts'

interface Options {
  /** What the plugin reads modules with. */
  readonly read: (loader: LoaderContext) => Promise<string>
}

// Loaders are called with a context.
/* oxlint-disable oxc/no-this-in-exported-function */

/** Gives the source of a module in place of its resource, which is on no disk. */
export function pitch(this: LoaderContext & { getOptions(): Options }): Promise<string> {
  return this.getOptions().read(this)
}

/** Never reached: `pitch` has answered by then. */
export default function load(source: string): string {
  return source
}
