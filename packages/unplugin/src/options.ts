import path from 'node:path'
import type {
  CompileOptions,
  Content,
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
   * How contents travel in a build: `inline`, in the bundle; `chunks`, in a chunk a skill; or `auto`, the
   * default, which goes by what the bundler tells of its target. A dev server always has `chunks`.
   */
  readonly content?: Content | 'auto'
}

export interface ResolvedOptions extends Pick<CompileOptions, 'rules'> {
  readonly id: string
  /** Absolute; undefined where the bundler's own root holds. */
  readonly root: string | undefined
  readonly sources: readonly SourceInput[]
  readonly content: Content | 'auto'
}

const CONTENTS: readonly unknown[] = ['auto', 'inline', 'chunks'] satisfies (Content | 'auto')[]

/**
 * @throws TypeError for options of another shape.
 */
export function resolveOptions(options: EmbedSkillsOptions): ResolvedOptions {
  const { id = 'virtual:skills', root, from, content = 'auto', rules, ...shared } = withFrom(options)
  if (from === undefined)
    throw new TypeError("embed-skills: say where skills are: embedSkills('skills/*') or { from: 'skills/*' }")
  if (!CONTENTS.includes(content))
    throw new TypeError(
      `embed-skills: content is one of ${CONTENTS.join(', ')}, not ${JSON.stringify(content)}`,
    )
  // What looks like a file is taken for one by bundlers and their loaders.
  if (!/^[\w#@$~:/-]*[\w-]$/.test(id) || /^\/|^virtual:skill$/.test(id))
    throw new TypeError(`embed-skills: ${JSON.stringify(id)} cannot be an id. Try 'virtual:admin-skills'`)
  return {
    id,
    content,
    root: root === undefined ? root : path.resolve(root),
    sources: withShared([from].flat() as SourceInput[], shared),
    ...(rules && { rules }),
  }
}

/** All strings as one source with these options, so that one that begins with `!` concerns the others. */
function withShared(sources: readonly SourceInput[], shared: Omit<SourceOptions, 'from'>): SourceInput[] {
  const strings = sources.filter((source) => typeof source === 'string')
  if (!strings.length || !Object.keys(shared).length) return [...sources]
  return [{ ...shared, from: strings }, ...sources.filter((source) => typeof source !== 'string')]
}

/** A source alone becomes `{ from: source }`. */
function withFrom(options: EmbedSkillsOptions): PluginOptions {
  if (typeof options !== 'object' && typeof options !== 'string') return {} as PluginOptions
  const isSource =
    typeof options === 'string' || Array.isArray(options) || 'package' in options || 'vendor' in options
  return isSource ? { from: options as SourceInput } : (options as PluginOptions)
}
