/**
 * Skills that come and go while the server runs.
 *
 * @example
 * import { liveSkills } from '@embed-skills/runtime/live'
 *
 * export const skills = liveSkills(compiled)
 * skills.add(escalations, macros)
 *
 * @module
 */
import type { CompiledSkills } from './compiled.ts'
import type { RequestContext, SkillSource } from './source.ts'
import { nestSkills } from './computed/nest.ts'
import { once } from './computed/state.ts'
import { computedSource, traitsOf } from './computed/traits.ts'

export { announceChanges } from './announce.ts'

/** Anything that can be joined. */
export type Joinable = CompiledSkills | SkillSource

/** A source whose skills change. A request that has begun is answered from what there was. */
export interface LiveSkills extends SkillSource {
  /**
   * Adds sources, all or none.
   *
   * @throws Error for what `joinSkills` refuses; then nothing has changed.
   */
  add(...skills: readonly Joinable[]): void
  /**
   * Takes sources away, all or none. They are known by identity: pass what was added.
   *
   * @throws RangeError for one that is not there; then nothing has changed.
   */
  remove(...skills: readonly Joinable[]): void
  /**
   * Takes some away and adds others in one step, so that nobody finds neither.
   *
   * @throws RangeError and Error as `remove` and `add` do; then nothing has changed.
   */
  replace(old: readonly Joinable[], skills: readonly Joinable[]): void
  /** Everything again from the start, in one step. */
  set(...skills: readonly Joinable[]): void
  /** Calls `listener` after each change, until the function that it gives is called. */
  onChange(listener: () => void): () => void
}

/**
 * Skills that come and go (feature P15), in batches: a change is made as a whole or not at all, and
 * announced once. It is one of this process: on a platform of many isolates each has its own, and a
 * provider that asks a database is the way to change all of them.
 *
 * @throws Error for what `joinSkills` refuses.
 *
 * @example
 * const skills = liveSkills(compiled, status)
 * attachSkills(server, skills)
 * announceChanges(server, skills)
 * skills.replace([status], [newStatus])
 */
export function liveSkills(...initial: readonly Joinable[]): LiveSkills {
  let parts = initial
  let current = nestSkills(initial)
  const { isRestricted, lacksDirectories } = traitsOf(current)
  const listeners = new Set<() => void>()

  function set(next: readonly Joinable[]): void {
    const joined = nestSkills(next)
    const traits = traitsOf(joined)
    // Both were settled when the server was made.
    if (traits.isRestricted && !isRestricted)
      throw new Error('Access rules cannot come later: put them around the live skills, or in the first ones')
    if (traits.lacksDirectories && !lacksDirectories)
      throw new Error('A provider that comes later needs a readDirectory')
    parts = next
    current = joined
    for (const listener of listeners)
      try {
        listener()
      } catch (error) {
        // The change is made, and the others want to hear of it.
        console.error('embed-skills: a listener of changes failed', error)
      }
  }

  function without(skills: readonly Joinable[]): Joinable[] {
    const rest = [...parts]
    for (const skill of skills) {
      const index = rest.indexOf(skill)
      if (index === -1) throw new RangeError('Only what was added can be removed: pass the same object')
      rest.splice(index, 1)
    }
    return rest
  }

  function onChange(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  /** What there was when the request began. */
  function at(context: RequestContext): SkillSource {
    return once(context, listeners, () => current)
  }

  const source = computedSource(
    {
      list: (after, limit, context) => at(context).list(after, limit, context),
      get: (uri, context) => at(context).get(uri, context),
      read: (uri, context) => at(context).read(uri, context),
      readDirectory: (uri, context) => at(context).readDirectory(uri, context),
    },
    {
      // Whatever comes later may lie anywhere.
      isOpen: true,
      isRestricted,
      lacksDirectories,
      peek: (uri, context) => traitsOf(at(context)).peek!(uri, context),
      onChange,
    },
  )
  return {
    ...source,
    onChange,
    add: (...skills) => set([...parts, ...skills]),
    remove: (...skills) => set(without(skills)),
    replace: (old, skills) => set([...without(old), ...skills]),
    set: (...skills) => set(skills),
  }
}
