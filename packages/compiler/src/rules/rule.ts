import type { FoundPattern } from '../discover/discover.ts'
import type { Position } from '../frontmatter/text.ts'
import type { SkillDraft } from '../read/skill.ts'
import type { Severity } from '../types.ts'

/** What a rule found. */
export interface Finding {
  /** What is wrong, in one sentence. */
  readonly message: string
  /** What to write or do instead. */
  readonly help: string
  /** Relative to the root; the skill's `SKILL.md` unless said. */
  readonly file?: string
  readonly at?: Position | undefined
}

/** One thing that can be wrong. A rule looks at facts already read; it reads nothing itself. */
export interface Rule {
  readonly id: string
  /** The severity unless `options.rules` says another. */
  readonly severity: Severity
  /** What it asks for, in one sentence. */
  readonly description: string
  /** Always an error, since nothing sound can be emitted without it. */
  readonly fixed?: boolean
  /** Looks at what one glob came to. */
  pattern?(found: FoundPattern, report: (finding: Finding) => void, context: Context): void
  /** Looks at one skill. */
  skill?(skill: SkillDraft, report: (finding: Finding) => void): void
  /** Looks at all skills together; a finding concerns one of them. */
  set?(skills: readonly SkillDraft[], report: (skill: SkillDraft, finding: Finding) => void): void
}

export interface Context {
  /** An absolute path relative to the root, with `/` between segments. */
  relative(file: string): string
}
