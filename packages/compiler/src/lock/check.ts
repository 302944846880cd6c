import fs from 'node:fs/promises'
import path from 'node:path'
import type { SkillsLock } from '@embed-skills/runtime'
import type { CompiledSkill } from '../types.ts'
import { writeWhole } from '../write-whole.ts'
import { compareWithLock } from './compare.ts'
import type { LockChanges } from './compare.ts'
import { formatLock, LOCK_NAME, lockOf, parseLock } from './lock.ts'

/** The file of a lock, absolute: `lock` is true for `skills.lock.json` in the root, or another name. */
export function lockFile(root: string, lock: boolean | string): string {
  return path.resolve(root, typeof lock === 'string' ? lock : LOCK_NAME)
}

/** @throws {TypeError} if there is none, or it cannot be read or is damaged: the message says what to do. */
export async function readLock(file: string): Promise<SkillsLock> {
  const name = path.basename(file)
  let text: string
  try {
    text = await fs.readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new TypeError(
      code === 'ENOENT'
        ? `There is no ${name}. Write it with \`embed-skills lock\`, and commit it`
        : `${name} cannot be read (${code})`,
      { cause: error },
    )
  }
  return parseLock(text, name)
}

/** What changed since the lock was written. */
export async function checkLock(file: string, skills: readonly CompiledSkill[]): Promise<LockChanges> {
  return compareWithLock(await readLock(file), skills)
}

export function writeLock(file: string, skills: readonly CompiledSkill[]): Promise<void> {
  return writeWhole(file, formatLock(lockOf(skills)))
}
