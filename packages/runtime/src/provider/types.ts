import type { CallerContext, MaybePromise } from '../source.ts'
import type { FileBytes } from '../encoding/bytes.ts'
import type { DefinedSkill } from '../define/skill.ts'
import type { CacheHints, Frontmatter } from '../wire.ts'
import type { JsonObject } from '../json.ts'

/** A skill as a provider describes it. */
export interface ProvidedSkill extends Partial<CacheHints> {
  /** The URI of its `SKILL.md`: `skill://reports/q3/SKILL.md`. */
  readonly uri: string
  readonly frontmatter: Frontmatter
  /** Every file once, or `dynamic` where the bytes have no lasting digest. */
  readonly resources: readonly ProvidedResource[] | 'dynamic'
  /** Folders that hold nothing, relative to the skill. */
  readonly directories?: readonly string[]
  readonly _meta?: JsonObject
}

export interface ProvidedResource {
  readonly uri: string
  /** `sha256:` and 64 lowercase hexadecimal digits. */
  readonly digest: string
  /** Length in bytes. */
  readonly size: number
  /** By default what the extension says. */
  readonly mimeType?: string
}

/** The content of a file, and the MIME type that its extension does not tell. */
export type ProvidedFile = FileBytes | { readonly content: FileBytes; readonly mimeType?: string }

/** A file or folder right below another. */
export interface ProvidedChild {
  readonly uri: string
  /** `inode/directory` for a folder; else by default what the extension says. */
  readonly mimeType?: string
  readonly size?: number
  readonly description?: string
}

/** Where a page begins: whichever of these the data is paged by. */
export interface PageRequest {
  /** The URI of the last skill before the page, '' at the start. */
  readonly after: string
  /** How many skills come before the page, with `paging: 'offset'`. */
  readonly offset: number
  /** The `nextCursor` of the page before, with `paging: 'cursor'`. */
  readonly cursor: string | undefined
  /** The most skills that the page may have. */
  readonly limit: number
}

export interface ProvidedPage {
  readonly skills: readonly (ProvidedSkill | DefinedSkill)[]
  /** With `paging: 'cursor'`: where the next page begins, if there is one. */
  readonly nextCursor?: string | undefined
}

type Nothing = null | undefined

/**
 * Skills that are too many to hold, differ by caller or are generated. Each method may throw; what it
 * throws is logged, and the client learns nothing of it.
 */
export interface SkillProvider {
  /** A page of skills, in byte order of their URIs. Without it they are served but not listed. */
  list?(page: PageRequest, context: CallerContext): MaybePromise<ProvidedPage | ProvidedPage['skills']>
  /** The skill whose `SKILL.md` is at `uri`. A `DefinedSkill` brings its files along. */
  get(uri: string, context: CallerContext): MaybePromise<ProvidedSkill | DefinedSkill | Nothing>
  /** A file of a skill that `get` gave without files. Asked for nothing else. */
  read?(uri: string, context: CallerContext): MaybePromise<ProvidedFile | Nothing>
  /** The direct children of a folder of a `dynamic` skill, but its `SKILL.md` and declared folders. */
  readDirectory?(uri: string, context: CallerContext): MaybePromise<readonly ProvidedChild[] | Nothing>
}

export interface ProviderOptions extends Partial<CacheHints> {
  /**
   * What `list` goes by. `after` costs least: one query a page wherever the page begins. With `offset` a
   * page whose place is not remembered is searched for by asking for single skills, about twice the binary
   * logarithm of their number; with `cursor` the pages before it are asked for again.
   */
  readonly paging?: 'after' | 'offset' | 'cursor'
  /** `false`: no skill is `dynamic`, so that no `readDirectory` is needed. */
  readonly dynamic?: boolean
  /** `false`: files that are no text are refused (feature A6). */
  readonly binary?: boolean
  /** Milliseconds that a call may take: 30,000 by default. */
  readonly timeoutMs?: number
}
