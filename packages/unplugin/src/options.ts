import type { Content, SkillsConfig, SourceInput } from '@embed-skills/compiler'

/** What the plugin takes: sources, or sources with options; nothing, if a configuration file says it all. */
export type EmbedSkillsOptions = SourceInput | readonly SourceInput[] | PluginOptions

/**
 * What a configuration file may say too: where both say something the plugin's option wins, and of `rules` each rule
 * for itself.
 */
export interface PluginOptions extends SkillsConfig {
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
  /**
   * The configuration file, relative to the root, or false for none. By default
   * `embed-skills.config.{ts,mts,js,mjs,json}`, if there is one.
   */
  readonly configFile?: string | false
}

export interface ResolvedOptions {
  readonly id: string
  readonly content: Content | undefined
  readonly configFile: string | false | undefined
  /** What is left to be completed by the configuration file. */
  readonly config: SkillsConfig
}

/**
 * @throws TypeError for options of another shape.
 */
export function resolveOptions(options: EmbedSkillsOptions = {}): ResolvedOptions {
  if (typeof options === 'string' || Array.isArray(options)) options = { from: options }
  const { id = 'virtual:skills', content, configFile, ...config } = options as PluginOptions
  if (config.from === undefined && configFile === false)
    throw new TypeError("embed-skills: say where skills are: embedSkills('skills/*') or { from: 'skills/*' }")
  if (content !== undefined && content !== 'inline' && content !== 'chunks')
    throw new TypeError(`embed-skills: content is "inline" or "chunks", not ${JSON.stringify(content)}`)
  return { id, content, configFile, config }
}
