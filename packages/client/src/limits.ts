import type { Skill } from '@embed-skills/runtime'
import { SkillHostError } from './errors.ts'

/** What a host accepts of one skill. The extension asks for at least the defaults. */
export interface SkillLimits {
  /** Files, `SKILL.md` included. */
  readonly files: number
  /** Bytes of all files together. */
  readonly bytes: number
}

/** 512 files and 16 MiB: what every conforming host accepts. */
export const DEFAULT_LIMITS: SkillLimits = { files: 512, bytes: 16 * 1024 * 1024 }

/**
 * Refuses a skill that is too large, from its entry alone: nothing has been read yet.
 *
 * @throws SkillHostError `over-limit`
 */
export function checkLimits({ uri, resources }: Skill, limits: SkillLimits): void {
  if (resources === 'dynamic') return
  if (resources.length > limits.files)
    throw new SkillHostError(
      'over-limit',
      `${uri} has ${resources.length} files; this host accepts ${limits.files}.`,
    )
  const bytes = resources.reduce((sum, { size }) => sum + size, 0)
  if (bytes > limits.bytes)
    throw new SkillHostError('over-limit', `${uri} has ${bytes} bytes; this host accepts ${limits.bytes}.`)
}

/** A longer URI, or a deeper folder, is no person's: each level costs time whenever skills are compared. */
const [URI_LENGTH, LEVELS] = [2048, 64]

/** Why the URIs of an entry are not accepted; nothing if they are. */
export function refusedUri({ uri, resources }: Skill): string | undefined {
  const files = resources === 'dynamic' ? [] : resources
  for (const each of [uri, ...files.map((file) => file.uri)]) {
    if (each.length > URI_LENGTH) return `a URI of it is longer than ${URI_LENGTH} characters`
    if (each.split('/').length > LEVELS) return `a URI of it has more than ${LEVELS} segments`
  }
  return undefined
}
