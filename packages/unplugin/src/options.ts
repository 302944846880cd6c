import type { CompileOptions, Content, SourceInput, SourceOptions } from '@embed-skills/compiler'

/** What the plugin takes: sources (a glob of skill folders, or several), or sources with options. */
export type EmbedSkillsOptions = SourceInput | readonly SourceInput[] | PluginOptions

/** Sources, and what holds for all of them. */
export interface PluginOptions
  extends Omit<SourceOptions, 'from'>, Pick<CompileOptions, 'rules' | 'templates'> {
  /** Where skills come from. `base`, `prefix` and `ignore` beside it are those of its strings. */
  readonly from: SourceInput | readonly SourceInput[]
  /**
   * The id under which the set is imported, and below which its skills are. `virtual:skills` by default.
   * TypeScript knows the default alone: declare another as `unplugin-embed-skills/client` declares it.
   */
  readonly id?: string
  /**
   * How contents travel in a build: `inline` or `chunks`. By default `inline` for Cloudflare Workers,
   * which load every module at start anyway, and `chunks` elsewhere. A dev server always has `chunks`.
   */
  readonly content?: Content
}

export interface ResolvedOptions extends Pick<CompileOptions, 'rules' | 'templates'> {
  readonly id: string
  readonly sources: readonly SourceInput[]
  readonly content: Content | undefined
}

/**
 * @throws TypeError for options of another shape.
 */
export function resolveOptions(options: EmbedSkillsOptions): ResolvedOptions {
  if (typeof options === 'string' || Array.isArray(options)) options = { from: options }
  const { id = 'virtual:skills', from, content, rules, templates, ...shared } = options as PluginOptions
  if (from === undefined)
    throw new TypeError("embed-skills: say where skills are: embedSkills('skills/*') or { from: 'skills/*' }")
  if (content !== undefined && content !== 'inline' && content !== 'chunks')
    throw new TypeError(`embed-skills: content is "inline" or "chunks", not ${JSON.stringify(content)}`)
  return {
    id,
    content,
    sources: withShared([from].flat() as SourceInput[], shared),
    ...(rules && { rules }),
    ...(templates !== undefined && { templates }),
  }
}

/** All strings as one source with these options, so that one that begins with `!` concerns the others. */
function withShared(sources: readonly SourceInput[], shared: Omit<SourceOptions, 'from'>): SourceInput[] {
  const strings = sources.filter((source) => typeof source === 'string')
  if (!strings.length || !Object.keys(shared).length) return [...sources]
  return [{ ...shared, from: strings }, ...sources.filter((source) => typeof source !== 'string')]
}
