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

/**
 * Reads a lock. A skill's digests may stand in `files`, or be the skill's own fields.
 *
 * @throws Error if the text is no lock of version 1.
 */
export function parseLock(text: string): SkillsLock {
  const { version, skills } = parse(text)
  if (version !== 1) throw new Error('This is no lock of version 1. Write it anew with embed-skills lock.')
  const locked = isRecord(skills) ? Object.entries(skills).map(([path, skill]) => [path, filesOf(skill)]) : []
  if (!isRecord(skills) || locked.some(([, files]) => !files))
    throw new Error('The lock is damaged. Write it anew with embed-skills lock.')
  return { version, skills: Object.fromEntries(locked.map(([path, files]) => [path, { files }])) }
}

function parse(text: string): Record<string, unknown> {
  try {
    const lock: unknown = JSON.parse(text)
    return isRecord(lock) ? lock : {}
  } catch {
    return {}
  }
}

function filesOf(skill: unknown): Record<string, string> | undefined {
  if (!isRecord(skill)) return undefined
  const files = isRecord(skill['files']) ? skill['files'] : skill
  const digests = Object.values(files).every((digest) => typeof digest === 'string')
  if (!digests) return undefined
  // Entries spell them in lower case.
  const spelled = Object.entries(files).map(([file, digest]) => [file, (digest as string).toLowerCase()])
  return Object.fromEntries(spelled) as Record<string, string>
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
