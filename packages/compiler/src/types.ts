import type { JsonObject } from '@embed-skills/runtime'

/** How serious a diagnostic is. An `error` keeps its skill out of the set, and fails a build. */
export type Severity = 'error' | 'warning' | 'info'

/** Something about the input that a person should know or mend. */
export interface Diagnostic {
  /** The rule's id in kebab case, e.g. `name-mismatch`. */
  readonly rule: string
  readonly severity: Severity
  /** What is wrong, in one sentence. */
  readonly message: string
  /** What to write or do instead. */
  readonly help: string
  /** The file or folder, relative to the root, with `/` between segments. */
  readonly file: string
  /** 1-based line and column, in UTF-16 code units, where a place in the file is known. */
  readonly line?: number
  readonly column?: number
  /** The path of the skill it concerns, where it concerns one. */
  readonly skill?: string
  /** What to write in the place of a text, if nothing but its quoting has to change. */
  readonly fix?: Fix
}

/** A change within one line of a file. */
export interface Fix {
  /** 1-based line and column, in UTF-16 code units; a byte order mark counts. */
  readonly line: number
  readonly column: number
  /** The text that stands there, and the one that should. */
  readonly from: string
  readonly to: string
}

/**
 * Where skills come from: a glob of skill folders, the same with options, an npm package, or an agent's folder.
 * What follows the fixed part of the glob is the skill's path: of `skills/*`, `skills/refunds` has the path
 * `refunds`. In an array, a string that begins with `!` is a glob of what to leave out of the other strings.
 */
export type SourceInput = string | SourceOptions | PackageSource | VendorSource

/** What every source with options takes. Its globs are relative to where `from` starts. */
export interface SharedSourceOptions {
  /** Segments ahead of every skill path of this source: `acme/billing`. */
  readonly prefix?: string
  /**
   * Skills whose folder bears another name than they do: the path below the fixed part of the glob, and the one to
   * serve them at instead. `{ 'react-best-practices': 'vercel-react-best-practices' }`
   */
  readonly rename?: Readonly<Record<string, string>>
  /** Globs of files and folders to leave out. */
  readonly ignore?: readonly string[]
  /**
   * Globs of what to take in although its name leaves it out: dot names, `node_modules`, build output
   * (`**\/_rels/.rels`). `.git` and symlinks stay out.
   */
  readonly include?: readonly string[]
  /**
   * Whether skills may hold binary files: all (the default), none, or those that globs match. A file is binary
   * by its bytes or by its MIME type.
   */
  readonly binary?: boolean | readonly string[]
  /** What `SKILL.md` is called on disk. It is served as `SKILL.md` all the same. */
  readonly mainFile?: string
}

export interface SourceOptions extends SharedSourceOptions {
  /**
   * One or more globs of skill folders, relative to `base`: `skills/*`, `skills/**`, or one folder. One that
   * begins with `!` says what to leave out of the others, as `ignore` does.
   */
  readonly from: string | readonly string[]
  /** The folder that the globs start from, absolute or relative to the root. The root by default. */
  readonly base?: string
}

/** The skills that an npm package brings. */
export interface PackageSource extends SharedSourceOptions {
  /** The name of a package that is installed where the root can import it: `@acme/sdk`. */
  readonly package: string
  /** Globs of skill folders, relative to the package. `skills/*` by default. */
  readonly from?: string | readonly string[]
}

/** An agent that keeps skills in a folder of its own. */
export type Vendor = 'claude' | 'cursor' | 'copilot' | 'codex' | 'gemini' | 'goose' | 'opencode'

/** The skills that an agent finds, as `vendorSkills` writes it. */
export interface VendorSource extends SharedSourceOptions {
  readonly vendor: Vendor
  /**
   * `project`, the default: the folders below the root. `user`: those of the home directory, with a
   * warning, since the build then depends on the machine.
   */
  readonly scope?: 'project' | 'user'
}

export interface CompileOptions {
  /** The folder that sources and diagnostics are relative to. `process.cwd()` by default. */
  readonly root?: string
  /** Severities by rule id, or `off`: `{ limits: 'error' }`. `docs/rules.md` of the repository has all rules. */
  readonly rules?: Readonly<Record<string, Severity | 'off'>>
  /** Whether what a conforming host refuses is an error, by default; else it is a warning. `rules` wins. */
  readonly strict?: boolean
  /** Where findings are kept from run to run, so that what has not changed is not checked again. */
  readonly cache?: FindingsCache
  /** Called after each skill that was read, with how many were found so far. */
  readonly onProgress?: (read: number, found: number) => void
}

/** A store of what `compile` found, by a key that covers all that it depends on. */
export interface FindingsCache {
  get(key: string): unknown
  set(key: string, value: unknown): void
}

/** One file of a skill. Two skills that hold the same file share its `bytes`. */
export interface SkillFile {
  /**
   * Path below the skill's folder, with `/` between segments: `templates/mail.md`. As on disk, but for a
   * main file of another name, which is `SKILL.md` here.
   */
  readonly path: string
  /** `skill://acme/refunds/templates/mail.md`, each segment spelled as a WHATWG URL spells it. */
  readonly uri: string
  /** By the file's name, without a charset; `application/octet-stream` if it says nothing. */
  readonly mimeType: string
  /** The bytes on disk, never changed. */
  readonly bytes: Uint8Array
  /** `sha256:` and 64 lowercase hexadecimal digits. */
  readonly digest: string
  /** Length of `bytes`. */
  readonly size: number
  /** `text` if the bytes are valid UTF-8 and hold no NUL, so that decoding loses nothing; else `blob`. */
  readonly kind: 'text' | 'blob'
}

/** A skill that was read, hashed and checked. */
export interface CompiledSkill {
  /** One or more segments, the last one the name: `acme/billing/refunds`. */
  readonly path: string
  /** The URI of its `SKILL.md`. */
  readonly uri: string
  /** Every field that the author wrote, as YAML 1.2 (core schema) reads it. */
  readonly frontmatter: JsonObject
  /** `SKILL.md` first, the rest in byte order of their URIs. Files of nested skills included. */
  readonly files: readonly SkillFile[]
  /** Folders that hold nothing, as paths below the skill's folder, in byte order of their URIs. */
  readonly emptyDirectories: readonly string[]
  /** The skill's folder on disk, absolute. */
  readonly folder: string
}

/** What has to be watched so that a change, an addition or a removal is seen. Absolute paths. */
export interface WatchTargets {
  readonly files: readonly string[]
  readonly directories: readonly string[]
  /** Folders that sources name and that do not exist (yet). */
  readonly missing: readonly string[]
}

/** A skill that was looked at, with errors or without. */
export interface CheckedSkill {
  readonly path: string
  /** Undefined where there is no `SKILL.md`, or no URI can say the path. */
  readonly uri: string | undefined
  /** How many files it holds, and how many bytes they hold. */
  readonly files: number
  readonly bytes: number
}

export interface CompileResult {
  /** Skills without errors, by URI. */
  readonly skills: readonly CompiledSkill[]
  /** All skills that were found, by path. */
  readonly checked: readonly CheckedSkill[]
  /** Every problem, by file and line. */
  readonly diagnostics: readonly Diagnostic[]
  readonly watch: WatchTargets
}
