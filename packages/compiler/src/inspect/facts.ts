import type { JsonObject } from '@embed-skills/runtime'
import type { Manifest } from '../frontmatter/parse.ts'
import type { Position } from '../frontmatter/text.ts'
import type { Portability } from '../portability/compare.ts'
import type { SkillDraft } from '../read/skill.ts'
import type { Finding } from '../rules/rule.ts'
import type { LineEndings } from './git.ts'

/** All that the rules about one skill look at. */
export interface SkillFacts extends SkillDraft {
  /** The `SKILL.md`, if there is one. */
  readonly manifest: Manifest | undefined
  /** How other readers see the frontmatter. */
  readonly portability: Portability
  readonly lineEndings: LineEndings
}

/** A finding and the rule whose it is. */
export type Found = readonly [rule: string, finding: Finding]

/** What can be known of a skill by looking at it alone. It is JSON, so that it can be kept. */
export interface Inspection {
  readonly frontmatter?: JsonObject
  /** Where the name stands. */
  readonly nameAt?: Position
  readonly found: readonly Found[]
  /** Links that lead out of the skill: whether they lead to another one, all skills together tell. */
  readonly outside: readonly OutsideLink[]
}

export interface OutsideLink {
  /** The file that it stands in, relative to the root. */
  readonly file: string
  readonly at: Position
  readonly target: string
  /** What a client makes of it. */
  readonly uri: string
  /** What it leads to on the disk, relative to the root. */
  readonly onDisk: string
}

export interface Inspected extends SkillDraft, Inspection {}
