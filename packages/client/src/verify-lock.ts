import type { Skill, SkillsLock } from '@embed-skills/runtime'
import type { VerifyProblem } from './verify.ts'
import { canonical, filesOf, skillPathOf } from './ref.ts'

/** What a listing has that the lock has not, and the other way round. */
export function compareWithLock(
  { skills: locked }: SkillsLock,
  served: readonly Skill[],
  ignoreUnlocked: boolean,
): VerifyProblem[] {
  const problems: VerifyProblem[] = []
  const left = new Set(Object.keys(locked))
  for (const skill of served) {
    const path = skillPathOf(skill.uri)
    const at = { skill: canonical(skill.uri), field: 'lock' } as const
    if (!left.delete(path)) {
      if (!ignoreUnlocked) problems.push({ ...at, message: 'the lock has no such skill' })
    } else if (skill.resources === 'dynamic')
      problems.push({ ...at, message: 'it is dynamic: the lock cannot be compared' })
    else problems.push(...compareFiles(at.skill, locked[path]!, skill))
  }
  for (const path of left)
    problems.push({ skill: path, field: 'lock', message: 'it is in the lock and not served' })
  return problems
}

function compareFiles(uri: string, locked: Readonly<Record<string, string>>, skill: Skill): VerifyProblem[] {
  const problems: VerifyProblem[] = []
  const left = new Set(Object.keys(locked))
  for (const [file, { digest }] of filesOf(skill)) {
    const at = { skill: uri, file, field: 'lock' } as const
    if (!left.delete(file)) problems.push({ ...at, message: 'the lock has no such file' })
    // Entries spell them in lower case.
    else if (locked[file]!.toLowerCase() !== digest)
      problems.push({ ...at, message: `the server has ${digest}, the lock ${locked[file]}` })
  }
  for (const file of left)
    problems.push({ skill: uri, file, field: 'lock', message: 'it is in the lock and not served' })
  return problems
}
