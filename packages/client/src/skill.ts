import type { Frontmatter, Skill } from '@embed-skills/runtime'
import type { SkillRef } from './ref.ts'

/** A skill as a host knows it from a listing: nothing of its content has been fetched. */
export interface HostSkill extends SkillRef {
  readonly name: string
  readonly description: string
  readonly frontmatter: Frontmatter
  readonly resources: Skill['resources']
  /** Whether it lies in the folder of another skill of its server. */
  readonly nested: boolean
}

/** A skill whose `SKILL.md` is in the model's context: the host is acting on it. */
export interface ActingSkill extends HostSkill {
  /** Whether the user's approval covers it as it was loaded. Without it, no code may be executed. */
  readonly approved: boolean
}

/** What `load` gives. */
export interface LoadedSkill extends ActingSkill {
  /** The whole `SKILL.md`. */
  readonly text: string
  /** What follows its frontmatter. */
  readonly body: string
  /** Whether size and digest were checked: always, but for dynamic skills. */
  readonly verified: boolean
  /** What to show a model: the body between tags that name its origin, and the files that it has. */
  readonly content: string
}

/** One file of a skill. */
export interface SkillFile extends SkillRef {
  /** Its path below the skill. */
  readonly path: string
  /** Its own URI. */
  readonly fileUri: string
  readonly bytes: Uint8Array
  /** Where the bytes are UTF-8. */
  readonly text?: string
  readonly mimeType?: string
  /** Whether size and digest were checked: always, but for dynamic skills. */
  readonly verified: boolean
  /** What to show a model where there is `text`: between tags that name its origin. */
  readonly content?: string
}

/** One line of a directory. */
export interface DirectoryEntry {
  readonly name: string
  /** Below the skill. */
  readonly path: string
  readonly kind: 'file' | 'directory'
  /** In bytes, where it is known. */
  readonly size?: number
}

/** What `unload` gives, and what `onSkillUnloaded` is told. */
export interface UnloadedSkill {
  readonly skill: SkillRef
  /** Labels of the servers that were connected for skills and that no loaded skill needs any more. */
  readonly releasedServers: readonly string[]
}
