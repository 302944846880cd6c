import type { SkillsLock } from '@embed-skills/runtime'
import type { BundleProblem, InspectedEntry } from './inspect.ts'

/** What a lock says of the entries in a bundle. */
export interface LockedBundle {
  readonly problems: readonly BundleProblem[]
  /** Skill paths that the lock has and the bundle has not: a bundle may hold a part of a set. */
  readonly absent: readonly string[]
}

/**
 * Compares the entries in a bundle with a lock. Skills that hold templates are none of them: what they are rendered
 * to is known on the server alone.
 *
 * @param ignoreUnlocked Whether skills that the lock does not have are no problem.
 */
export function compareBundleWithLock(
  { skills: locked }: SkillsLock,
  entries: readonly InspectedEntry[],
  { ignoreUnlocked = false }: { readonly ignoreUnlocked?: boolean } = {},
): LockedBundle {
  const problems = entries.flatMap(({ path, uri: skill, files }): BundleProblem[] => {
    const known = Object.hasOwn(locked, path) ? locked[path] : undefined
    if (known) return compareFiles(skill, known, files)
    return ignoreUnlocked ? [] : [{ skill, field: 'lock', message: 'the lock has no such skill' }]
  })
  const held = new Set(entries.map(({ path }) => path))
  return { problems, absent: Object.keys(locked).filter((path) => !held.has(path)) }
}

type Digests = InspectedEntry['files']

function compareFiles(skill: string, locked: Digests, files: Digests): BundleProblem[] {
  const problem = (file: string, message: string): BundleProblem => ({ skill, file, field: 'lock', message })
  const held = Object.entries(files).flatMap(([file, digest]) => {
    if (!Object.hasOwn(locked, file)) return [problem(file, 'the lock has no such file')]
    const isSame = locked[file] === digest
    return isSame ? [] : [problem(file, `the bundle has ${digest}, the lock ${locked[file]}`)]
  })
  const gone = Object.keys(locked).filter((file) => !Object.hasOwn(files, file))
  return [...held, ...gone.map((file) => problem(file, 'it is in the lock and not in the bundle'))]
}
