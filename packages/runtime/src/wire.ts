/**
 * The shapes of the Skills extension (`io.modelcontextprotocol/skills`, SEP-2640) as they travel.
 * They live in the runtime because they outlast the build.
 */
import type { JsonObject } from './json.ts'

/** The identifier under which a server declares the extension in `capabilities.extensions`. */
export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills'

/** The first protocol revision whose results carry `resultType` and caching fields. */
export const MODERN = '2026-07-28'

/** The media type of a directory resource. */
export const DIRECTORY_MIME_TYPE = 'inode/directory'

/** The frontmatter of a `SKILL.md`: every field that its author wrote, unchanged. */
export interface Frontmatter extends JsonObject {
  /** 1-64 of `a-z 0-9 -`; equals the last segment of the skill path. */
  readonly name: string
  /** 1-1024 characters. */
  readonly description: string
}

/** One file in a skill's manifest. */
export interface SkillResource {
  readonly uri: string
  /** `sha256:` and 64 lowercase hexadecimal digits, over the raw bytes. */
  readonly digest: string
  /** Length in bytes. */
  readonly size: number
}

/** What a listing says of a skill. */
export interface Skill {
  /** The URI of its `SKILL.md`: `skill://acme/refunds/SKILL.md`. */
  readonly uri: string
  readonly frontmatter: Frontmatter
  /** Every file once, `SKILL.md` first; or `dynamic` where the bytes have no lasting digest. */
  readonly resources: readonly SkillResource[] | 'dynamic'
  readonly _meta?: JsonObject
}

/** A file or folder as `resources/list` and `resources/directory/read` show it. */
export interface Resource {
  readonly uri: string
  readonly name: string
  readonly description?: string
  readonly mimeType?: string
  readonly size?: number | undefined
  readonly _meta?: JsonObject
}

/** The bytes of one file: `text` where they are UTF-8 without NUL, else base64 in `blob`. */
export type ResourceContents = { readonly uri: string; readonly mimeType?: string } & (
  | { readonly text: string }
  | { readonly blob: string }
)

/** How long, and by whom, a result may be kept (protocol revision 2026-07-28 and later). */
export interface CacheHints {
  /** Milliseconds; 0 means: ask again. */
  readonly ttlMs: number
  /** `public` if it is the same for every caller. */
  readonly cacheScope: 'public' | 'private'
}

export interface ListSkillsResult extends Partial<CacheHints> {
  readonly skills: readonly Skill[]
  readonly nextCursor?: string
}

export interface GetSkillResult extends Partial<CacheHints> {
  readonly skill: Skill
}

export interface ReadResourceResult extends Partial<CacheHints> {
  readonly contents: readonly ResourceContents[]
}

export interface ListResourcesResult extends Partial<CacheHints> {
  readonly resources: readonly Resource[]
  readonly nextCursor?: string
}

/** A skill's `SKILL.md` as an ordinary resource (protocol M7). */
export function skillResource({ uri, frontmatter: { name, description }, resources }: Skill): Resource {
  // The first file of a manifest is its SKILL.md; a dynamic skill has no size.
  const first = resources[0] as Partial<SkillResource>
  return { uri, name, description, mimeType: 'text/markdown', size: first.size }
}
