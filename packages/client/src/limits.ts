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
