import type { FoundPattern } from '../discover/discover.ts'
import type { Position } from '../frontmatter/text.ts'
import type { Inspected, SkillFacts } from '../inspect/facts.ts'
import type { SkillDraft } from '../read/skill.ts'
import type { Fix, Severity, SourceInput } from '../types.ts'

/** What a rule found. */
export interface Finding {
  /** What is wrong, in one sentence. */
  readonly message: string
  /** What to write or do instead. */
  readonly help: string
  /** Relative to the root; the skill's `SKILL.md` unless said. */
  readonly file?: string
  readonly at?: Position | undefined
  /** A change of quoting alone that mends it. */
  readonly fix?: Fix | undefined
}

/** One thing that can be wrong. A rule looks at facts already read; it reads nothing itself. */
export interface Rule {
  readonly id: string
  /** The severity unless `options.rules` says another. */
  readonly severity: Severity
  /** What it asks for, in one sentence. */
  readonly description: string
  /** What happens to a skill that breaks it: Markdown, for the rule's page. */
  readonly why: string
  /** Files that break this rule and no other. */
  readonly bad: Example
  /** The same, mended: no rule objects. */
  readonly good: Example
  /** Always an error, since nothing sound can be emitted without it. */
  readonly fixed?: boolean
  /** Conforming hosts refuse what breaks it, though it could be served: a warning if `strict` is off. */
  readonly strict?: boolean
  /** Looks at what one glob came to. */
  pattern?(found: FoundPattern, report: (finding: Finding) => void, context: Context): void
  /** Looks at one skill. `already` counts the errors of the rules before it. */
  skill?(skill: SkillFacts, report: (finding: Finding) => void, already: number): void
  /** Looks at all skills together; a finding concerns one of them. */
  set?(skills: readonly Inspected[], report: (skill: SkillDraft, finding: Finding) => void): void
}

export interface Context {
  /** An absolute path relative to the root, with `/` between segments. */
  relative(file: string): string
}

/** A small tree of files. */
export interface Example {
  /** By path; a path that ends in `/` is an empty folder, and one that begins with `~/` is in the home directory. */
  readonly files: Readonly<Record<string, string | Uint8Array | Special>>
  /** `skills/*` by default. */
  readonly sources?: SourceInput | readonly SourceInput[]
  /** Severities by rule id. */
  readonly rules?: Readonly<Record<string, Severity | 'off'>>
}

/** What is no regular file that can be read. */
export type Special = { readonly link: string } | { readonly special: 'pipe' | 'unreadable' }

/** A `SKILL.md` for examples. */
export function skillMd(name: string, more: { fields?: string; body?: string } = {}): string {
  const { fields = '', body = 'Follow the steps.\n' } = more
  return `---\nname: ${name}\ndescription: Handles ${name}. Use when a customer asks.\n${fields}---\n\n${body}`
}

/** The same with frontmatter of one's own. */
export function frontmatter(...lines: readonly string[]): string {
  return ['---', ...lines, '---', '', 'Follow the steps.', ''].join('\n')
}
