import path from 'node:path'
import type {
  CompileOptions,
  Content,
  Encoding,
  SharedSourceOptions,
  SourceInput,
  SourceOptions,
} from '@embed-skills/compiler'

/** What the plugin takes: sources, or sources with options. */
export type EmbedSkillsOptions = SourceInput | readonly SourceInput[] | PluginOptions

export interface PluginOptions extends SharedSourceOptions, Pick<CompileOptions, 'rules'> {
  /** Where skills come from. `base`, `prefix`, `ignore` and `mainFile` beside it are those of its strings. */
  readonly from: SourceInput | readonly SourceInput[]
  /** The folder that the strings of `from` start from, absolute or relative to the root. */
  readonly base?: string
  /** The id under which the set is imported. `virtual:skills` by default. */
  readonly id?: string
  /** The folder that sources are relative to. By default the bundler's own root. */
  readonly root?: string
  /**
   * How contents travel in a build: `inline`, in the bundle; `chunks`, in a chunk a skill; `pack`, in one
   * binary file, for Cloudflare Workers alone; or `auto`, the default, which goes by what the bundler tells of
   * its target. A dev server always has `chunks`.
   */
  readonly content?: Content | 'auto'
  /**
   * How strings are written: `base64` keeps them from plugins that rewrite code as text, such as
   * `@rollup/plugin-replace`. `utf8` by default.
   */
  readonly encoding?: Encoding
  /**
   * Where the types of names, paths and frontmatter are written, relative to the root:
   * `embed-skills.d.ts` by default. `false` writes none.
   */
  readonly types?: boolean | string
  /**
   * esbuild alone: whether calls of `embedSkills()` from `@embed-skills/runtime/macro` are compiled, for which
   * every source file is read. Off by default; elsewhere they always are.
   */
  readonly macro?: boolean
  /** Whether a written bundle is compared with what was compiled into it. On by default. */
  readonly verify?: boolean
}

export interface ResolvedOptions extends Pick<CompileOptions, 'rules'> {
  readonly id: string
  /** Absolute; undefined where the bundler's own root holds. */
  readonly root: string | undefined
  /** None for the macro alone. */
  readonly sources: readonly SourceInput[]
  readonly content: Content | 'auto'
  readonly encoding: Encoding
  readonly types: boolean | string
  readonly verify: boolean
  readonly macro: boolean
}

const CONTENTS: readonly unknown[] = ['auto', 'inline', 'chunks', 'pack'] satisfies (Content | 'auto')[]

/**
 * @throws TypeError for options of another shape.
 */
export function resolveOptions(options: EmbedSkillsOptions | undefined): ResolvedOptions {
  if (options === undefined) options = { from: [], macro: true }
  const {
    id = 'virtual:skills',
    root,
    from,
    content = 'auto',
    encoding = 'utf8',
    types = true,
    verify = true,
    macro = false,
    rules,
    ...shared
  } = withFrom(options)
  if (from === undefined)
    throw new TypeError("embed-skills: say where skills are: embedSkills('skills/*') or { from: 'skills/*' }")
  if (!CONTENTS.includes(content))
    throw new TypeError(
      `embed-skills: content is one of ${CONTENTS.join(', ')}, not ${JSON.stringify(content)}`,
    )
  if (encoding !== 'utf8' && encoding !== 'base64')
    throw new TypeError(`embed-skills: encoding is utf8 or base64, not ${JSON.stringify(encoding)}`)
  // What looks like a file is taken for one by bundlers and their loaders.
  if (!/^[\w#@$~:/-]*[\w-]$/.test(id) || /^\/|^virtual:(?:skill|embed-skills)$/.test(id))
    throw new TypeError(`embed-skills: ${JSON.stringify(id)} cannot be an id. Try 'virtual:admin-skills'`)
  const sources = [from].flat() as SourceInput[]
  return {
    id,
    content,
    encoding,
    types,
    verify,
    macro,
    root: root === undefined ? root : path.resolve(root),
    sources: Object.keys(shared).length ? withShared(sources, shared) : sources,
    ...(rules && { rules }),
  }
}

/** Gives the strings among the sources the options that stand beside them. */
function withShared(
  sources: readonly SourceInput[],
  shared: Omit<SourceOptions, 'from'>,
): readonly SourceInput[] {
  const omitted = sources.filter((source) => typeof source === 'string' && source.startsWith('!')) as string[]
  const ignore = [...(shared.ignore ?? []), ...omitted.map((glob) => glob.slice(1))]
  return sources
    .filter((source) => !omitted.includes(source as string))
    .map((source) => (typeof source === 'string' ? { ...shared, from: source, ignore } : source))
}

/** A source alone becomes `{ from: source }`. */
function withFrom(options: EmbedSkillsOptions): PluginOptions {
  if (typeof options !== 'object' && typeof options !== 'string') return {} as PluginOptions
  const isSource =
    typeof options === 'string' || Array.isArray(options) || 'package' in options || 'vendor' in options
  return isSource ? { from: options as SourceInput } : (options as PluginOptions)
}
