import type { Compilation } from './compilation.ts'
import type { Session } from './session.ts'
import type { SkillSet } from './skill-set.ts'

type IsStale = (id: string) => boolean

interface Change {
  readonly file: string
  readonly timestamp: number
  readonly isStale: Promise<IsStale | undefined>
}

/**
 * Tells which modules a change of a file makes stale; undefined if the file is none of ours. Every environment
 * of a dev server is told of the same change, and the first one compiles.
 */
export function createHotChanges(
  session: Session,
): (file: string, timestamp: number) => Promise<IsStale | undefined> {
  let last: Change | undefined
  return (file, timestamp) => {
    if (last?.file !== file || last.timestamp !== timestamp)
      last = { file, timestamp, isStale: recompile(session, file) }
    return last.isStale
  }
}

async function recompile(session: Session, file: string): Promise<IsStale | undefined> {
  const concerned = session.sets.filter((set) => set.concerns(file))
  if (concerned.length === 0) return undefined
  const before = new Map<SkillSet, Promise<Compilation>>(concerned.map((set) => [set, set.compile()]))
  session.invalidate([file])
  const changed = new Map<SkillSet, [Compilation, Compilation]>()
  for (const set of concerned) changed.set(set, [await before.get(set)!, await set.compile()])
  return (id) => {
    if (!session.ids.some((filter) => filter.test(id))) return false
    const { id: wanted, set } = session.find(id)
    const [old, current] = changed.get(set) ?? []
    return old !== undefined && current !== undefined && differs(wanted, old, current)
  }
}

function differs(id: string, before: Compilation, after: Compilation): boolean {
  if (before === after) return false
  if (before.hasErrors || after.hasErrors) return true
  return before.code(id, 'chunks') !== after.code(id, 'chunks')
}
