/** The lock that a build wrote: which files each skill is to have, by their digests. */

/** `skills.lock.json`. */
export interface SkillsLock {
  readonly version: 1
  /** By skill path, `acme/refunds`. */
  readonly skills: Readonly<Record<string, LockedSkill>>
}

export interface LockedSkill {
  /** `sha256:` and 64 hexadecimal digits, by the path below the skill. */
  readonly files: Readonly<Record<string, string>>
}

/** @throws Error if the text is no lock of version 1. */
export function parseLock(text: string): SkillsLock {
  const lock = parse(text) as { version?: unknown; skills?: unknown } | null
  if (lock?.version !== 1)
    throw new Error('This is no lock of version 1. Write it anew with embed-skills lock.')
  if (!isRecord(lock.skills) || !Object.values(lock.skills).every(isLocked))
    throw new Error('The lock is damaged. Write it anew with embed-skills lock.')
  return lock as SkillsLock
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isLocked(skill: unknown): boolean {
  if (!isRecord(skill) || !isRecord(skill['files'])) return false
  return Object.values(skill['files']).every((digest) => typeof digest === 'string')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
