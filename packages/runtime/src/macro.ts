/**
 * Skills in place: the bundler plugin replaces the call by the compiled set.
 *
 * @example
 * import { serveSkills } from '@embed-skills/runtime/fetch'
 * import { embedSkills } from '@embed-skills/runtime/macro'
 *
 * export default serveSkills(embedSkills('./skills/*'), { name: 'acme', version: '1.0.0' })
 *
 * @module
 */
import type { CompiledSkills } from './compiled.ts'
import type { Registered, SetTypes } from './register.ts'

/**
 * A glob of skill folders, relative to the file that the call is in, or with a `/` ahead to the root;
 * or the same with options. In an array, a glob with `!` ahead says what to leave out.
 */
export type MacroSource =
  | string
  | {
      readonly from: string | readonly string[]
      /** Segments ahead of every skill path: `acme/billing`. */
      readonly prefix?: string
      /** Globs of files and folders to leave out. */
      readonly ignore?: readonly string[]
    }

/** Globs from the root are known to `embed-skills.d.ts`; two files may write the same relative one. */
type TypesOf<S> = S extends `/${string}` ? Registered<S> : SetTypes

/**
 * The skills of `sources`, which have to be written out in the call: the plugin reads them in the code.
 *
 * @throws Error where the plugin did not compile the call away.
 */
export function embedSkills<const S extends MacroSource | readonly MacroSource[]>(
  sources: S,
): CompiledSkills<TypesOf<S>> {
  throw new Error(
    `embedSkills(${JSON.stringify(sources)}) was not compiled, since no plugin did it. Install ` +
      'unplugin-embed-skills and add it to the plugins of your bundler; where there are no plugins, ' +
      'write a module with `npx embed-skills build` and import that.',
  )
}
