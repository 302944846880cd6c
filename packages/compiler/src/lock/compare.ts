import { hash } from 'node:crypto'
import type { LockedSkills, SkillsLock } from '@embed-skills/runtime'
import { compare } from '../read/order.ts'
import type { CompiledSkill } from '../types.ts'
import { lockOf } from './lock.ts'

/** What a deploy would change, in the terms of hosts: they bind an approval to a skill's files and digests. */
export interface LockChanges {
  /** Skills that the lock does not know: nobody has approved them yet. */
  readonly added: readonly string[]
  /** Skills that are no more. */
  readonly removed: readonly string[]
  /** Skills whose approvals end. */
  readonly changed: readonly SkillChange[]
}

export interface SkillChange {
  readonly path: string
  /** Files, as paths below the skill. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
  /** Those of the changed ones whose line endings alone are different. */
  readonly lineEndings: readonly string[]
}

/** Compares skills with a lock of them. */
export function compareWithLock(lock: SkillsLock, skills: readonly CompiledSkill[]): LockChanges {
  const [locked, current] = [digestsOf(lock), digestsOf(lockOf(skills))]
  const { added, removed, kept } = keysOf(locked, current)
  const byPath = new Map(skills.map((skill) => [skill.path, skill]))
  const changed = kept.flatMap((path): SkillChange[] => {
    const [before, after] = [locked[path]!, current[path]!]
    const files = keysOf(before, after)
    const different = files.kept.filter((file) => before[file] !== after[file])
    if (files.added.length + files.removed.length + different.length === 0) return []
    const skill = byPath.get(path)!
    const lineEndings = different.filter((file) => differsByLineEndings(skill, file, before[file]!))
    return [{ path, added: files.added, removed: files.removed, changed: different, lineEndings }]
  })
  return { added, removed, changed }
}

/** All skills; a file of one that holds templates is none of one that is served as it is. */
function digestsOf({ skills, templates = {} }: SkillsLock): LockedSkills {
  const all: Record<string, Readonly<Record<string, string>>> = Object.assign(Object.create(null), skills)
  for (const [path, files] of Object.entries(templates))
    all[path] = Object.fromEntries(
      Object.entries(files).map(([file, digest]) => [file, `template ${digest}`]),
    )
  return all
}

/** Whether nothing changed at all. */
export function isUnchanged({ added, removed, changed }: LockChanges): boolean {
  return added.length + removed.length + changed.length === 0
}

function keysOf(before: object, after: object): { added: string[]; removed: string[]; kept: string[] } {
  const [old, now] = [Object.keys(before), Object.keys(after)]
  const [oldSet, nowSet] = [new Set(old), new Set(now)]
  return {
    added: now.filter((key) => !oldSet.has(key)).sort(compare),
    removed: old.filter((key) => !nowSet.has(key)).sort(compare),
    kept: now.filter((key) => oldSet.has(key)).sort(compare),
  }
}

/** Git on another machine may have written CRLF for LF, or the other way round. */
function differsByLineEndings(skill: CompiledSkill, path: string, digest: string): boolean {
  const bytes = skill.files.find((file) => file.path === path)?.bytes
  if (bytes === undefined) return false
  const text = Buffer.from(bytes).toString('latin1')
  const lf = text.replaceAll('\r\n', '\n')
  return [lf, lf.replaceAll('\n', '\r\n')].some(
    (other) =>
      digest.replace('template ', '') === `sha256:${hash('sha256', Buffer.from(other, 'latin1'), 'hex')}`,
  )
}
