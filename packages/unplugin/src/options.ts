import type { CompileOptions, Content, Encoding, SourceInput, SourceOptions } from '@embed-skills/compiler'

/** What the plugin takes: sources, or sources with options. */
export type EmbedSkillsOptions = SourceInput | readonly SourceInput[] | PluginOptions

export interface PluginOptions extends Omit<SourceOptions, 'from'>, Pick<CompileOptions, 'rules'> {
  /** Where skills come from. `base`, `prefix` and `ignore` beside it are those of its strings. */
  readonly from: SourceInput | readonly SourceInput[]
  /** The id under which the set is imported. `virtual:skills` by default. */
  readonly id?: string
  /**
   * How contents travel in a build: `inline`, `chunks` or, for Cloudflare Workers alone, `pack`. By default
   * `inline` for Workers, which load every module at start anyway, and `chunks` elsewhere. A dev server
   * always has `chunks`.
   */
  readonly content?: Content
  /**
   * How strings are written in a build: `base64` keeps them from plugins that rewrite code as text, such
   * as `@rollup/plugin-replace`. `utf8` by default.
   */
  readonly encoding?: Encoding
  /**
   * Where the types of names, paths and frontmatter are written, relative to the root:
   * `embed-skills.d.ts` by default. `false` writes none.
   */
  readonly types?: boolean | string
  /** Whether a written bundle is compared with what was compiled into it. On by default. */
  readonly verify?: boolean
}

export interface ResolvedOptions extends Pick<CompileOptions, 'rules'> {
  readonly id: string
  readonly sources: readonly SourceInput[]
  readonly content: Content | undefined
  readonly encoding: Encoding
  readonly types: boolean | string
  readonly verify: boolean
}

/**
 * @throws TypeError for options of another shape.
 */
export function resolveOptions(options: EmbedSkillsOptions): ResolvedOptions {
  if (typeof options === 'string' || Array.isArray(options)) options = { from: options }
  const {
    id = 'virtual:skills',
    from,
    content,
    encoding = 'utf8',
    types = true,
    verify = true,
    rules,
    ...shared
  } = options as PluginOptions
  if (from === undefined)
    throw new TypeError("embed-skills: say where skills are: embedSkills('skills/*') or { from: 'skills/*' }")
  if (content !== undefined) refuseOther('content', content, ['inline', 'chunks', 'pack'])
  refuseOther('encoding', encoding, ['utf8', 'base64'])
  const sources = [from].flat() as SourceInput[]
  return {
    id,
    content,
    encoding,
    types,
    verify,
    sources: sources.map((source) =>
      typeof source === 'string' && Object.keys(shared).length ? { ...shared, from: source } : source,
    ),
    ...(rules && { rules }),
  }
}

function refuseOther(option: string, value: unknown, allowed: readonly string[]): void {
  if (!allowed.includes(value as string))
    throw new TypeError(
      `embed-skills: ${option} is one of ${allowed.join(', ')}, not ${JSON.stringify(value)}`,
    )
}
