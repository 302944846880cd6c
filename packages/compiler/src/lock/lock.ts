import type { LockedSkills, SkillsLock } from '@embed-skills/runtime'
import { compare } from '../read/order.ts'
import { hasTemplates } from '../template/engine.ts'
import type { CompiledSkill } from '../types.ts'

/** The name of the file, in the root, unless another is given. */
export const LOCK_NAME = 'skills.lock.json'

/** The lock of skills, those that hold templates too: it depends on their paths and bytes alone. */
export function lockOf(skills: readonly CompiledSkill[]): SkillsLock {
  const templates = skills.filter(hasTemplates)
  return {
    version: 1,
    skills: lockedOf(skills.filter((skill) => !templates.includes(skill))),
    ...(templates.length > 0 && { templates: lockedOf(templates) }),
  }
}

function lockedOf(skills: readonly CompiledSkill[]): LockedSkills {
  const rows = skills.map(({ path, files }): [string, Record<string, string>] => [
    path,
    sorted(files.map((file) => [file.path, file.digest])),
  ])
  return sorted(rows)
}

/** Null-prototype objects: any name may be a path, `__proto__` too. */
function sorted<T>(rows: readonly (readonly [string, T])[]): Record<string, T> {
  const object: Record<string, T> = Object.create(null)
  for (const [key, value] of rows.toSorted(([a], [b]) => compare(a, b))) object[key] = value
  return object
}

/** As it is written to disk. */
export function formatLock(lock: SkillsLock): string {
  return `${JSON.stringify(lock, null, 2)}\n`
}

/**
 * @param name What the file is called, for messages.
 * @throws {TypeError} if the text is no lock, or one of a later version.
 */
export function parseLock(text: string, name: string = LOCK_NAME): SkillsLock {
  const again = 'Write it anew with `embed-skills lock`'
  let value: Partial<SkillsLock> | null
  try {
    value = JSON.parse(text) as Partial<SkillsLock> | null
  } catch (error) {
    throw new TypeError(`${name} is no JSON: a merge may have left its marks in it. ${again}`, {
      cause: error,
    })
  }
  const { version, skills, templates = {} } = value ?? {}
  if (typeof version === 'number' && version > 1)
    throw new TypeError(`${name} has version ${version}, which needs a newer embed-skills`)
  if (
    version !== 1 ||
    ![skills, templates].every((locked) => isRecord(locked) && Object.values(locked).every(isFiles))
  )
    throw new TypeError(`${name} is damaged. ${again}`)
  return value as SkillsLock
}

function isFiles(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((digest) => typeof digest === 'string')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
