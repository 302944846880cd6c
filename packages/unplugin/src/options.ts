import path from 'node:path'
import type { Content, Encoding, SkillsConfig, SourceInput } from '@embed-skills/compiler'
import { refuseUnknown } from '@embed-skills/compiler'

/** What the plugin takes: sources, or sources with options; nothing, if a configuration file says it all. */
export type EmbedSkillsOptions = SourceInput | readonly SourceInput[] | PluginOptions

/**
 * What a configuration file may say too: where both say something the plugin's option wins, and of `rules` each rule
 * for itself.
 */
export interface PluginOptions extends SkillsConfig {
  /** The id under which the set is imported, and below which its skills are. `virtual:skills` by default. */
  readonly id?: string
  /** The folder that sources and the configuration file are relative to. By default the bundler's own root. */
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
   * The configuration file, relative to the root, or false for none. By default
   * `embed-skills.config.{ts,mts,js,mjs,json}`, if there is one.
   */
  readonly configFile?: string | false
  /**
   * Where the types of names, paths and frontmatter are written, relative to the root:
   * `embed-skills.d.ts` by default. `false` writes none.
   */
  readonly types?: boolean | string
  /**
   * esbuild and Bun alone: whether calls of `embedSkills()` from `@embed-skills/runtime/macro` are compiled, for which
   * every source file is read. Off by default beside other options; elsewhere they always are.
   */
  readonly macro?: boolean
  /** Whether a written bundle is compared with what was compiled into it. On by default. */
  readonly verify?: boolean
}

export interface ResolvedOptions {
  readonly id: string
  /** Absolute; undefined where the bundler's own root holds. */
  readonly root: string | undefined
  readonly content: Content | 'auto'
  readonly encoding: Encoding
  readonly types: boolean | string
  readonly verify: boolean
  readonly macro: boolean
  readonly configFile: string | false | undefined
  /** What is left to be completed by the configuration file. */
  readonly config: SkillsConfig
}

const CONTENTS: readonly unknown[] = ['auto', 'inline', 'chunks', 'pack'] satisfies (Content | 'auto')[]

/** The options that no configuration file has. */
const OWN = [
  'id',
  'root',
  'content',
  'encoding',
  'configFile',
  'types',
  'macro',
  'verify',
] satisfies (keyof PluginOptions)[]

/**
 * @param options Nothing for what the configuration file says, or for the macro alone where there is none.
 * @throws TypeError for options of another shape.
 */
export function resolveOptions(options?: EmbedSkillsOptions): ResolvedOptions {
  const {
    id = 'virtual:skills',
    root,
    content = 'auto',
    encoding = 'utf8',
    configFile,
    types = true,
    verify = true,
    macro = false,
    ...config
  } = withFrom(options)
  refuseUnknown(config, 'embed-skills', OWN)
  if (config.from === undefined && configFile === false) throw new TypeError(NO_SOURCES)
  if (!CONTENTS.includes(content))
    throw new TypeError(
      `embed-skills: content is one of ${CONTENTS.join(', ')}, not ${JSON.stringify(content)}`,
    )
  if (encoding !== 'utf8' && encoding !== 'base64')
    throw new TypeError(`embed-skills: encoding is utf8 or base64, not ${JSON.stringify(encoding)}`)
  // What looks like a file is taken for one by bundlers and their loaders.
  if (!/^[\w#@$~:/-]*[\w-]$/.test(id) || /^\/|^virtual:(?:skill|embed-skills)$/.test(id))
    throw new TypeError(`embed-skills: ${JSON.stringify(id)} cannot be an id. Try 'virtual:admin-skills'`)
  return {
    id,
    content,
    encoding,
    types,
    verify,
    macro,
    root: root === undefined ? root : path.resolve(root),
    configFile,
    config,
  }
}

const NO_SOURCES = "embed-skills: say where skills are: embedSkills('skills/*') or { from: 'skills/*' }"

/** A source alone becomes `{ from: source }`. */
export function withFrom(options: EmbedSkillsOptions = { macro: true }): PluginOptions {
  if ((typeof options !== 'object' && typeof options !== 'string') || options === null)
    throw new TypeError(NO_SOURCES)
  const isSource =
    typeof options === 'string' || Array.isArray(options) || 'package' in options || 'vendor' in options
  return isSource ? { from: options as SourceInput } : (options as PluginOptions)
}
