/** The lock that a build wrote: which files each skill is to have, by their digests. */
import type { SkillsLock } from '@embed-skills/runtime'

/**
 * Reads `skills.lock.json`, as `embed-skills lock` writes it.
 *
 * @throws Error if the text is no lock of version 1.
 */
export function parseLock(text: string): SkillsLock {
  const lock = parse(text)
  if (!isRecord(lock) || lock['version'] !== 1)
    throw new Error('This is no lock of version 1. Write it anew with embed-skills lock.')
  const { skills, templates = {} } = lock
  if (![skills, templates].every((locked) => isRecord(locked) && Object.values(locked).every(isFiles)))
    throw new Error('The lock is damaged. Write it anew with embed-skills lock.')
  return lock as unknown as SkillsLock
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isFiles(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((digest) => typeof digest === 'string')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
