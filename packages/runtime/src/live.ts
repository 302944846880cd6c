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
import type { SkillCatalog, Skills } from './catalog.ts'
import type { CompiledSkills } from './compiled.ts'
import type { RequestContext, SkillSource } from './source.ts'
import { nestSkills } from './computed/nest.ts'
import { once } from './computed/state.ts'
import { computedSource, traitsOf } from './computed/traits.ts'

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
    for (const listener of listeners) listener()
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

/** As a catalog of them would say it. */
function changesOf(skills: Skills): SkillCatalog['onChange'] {
  if ('resources' in skills) return skills.onChange
  const { isRestricted, onChange } = traitsOf(skills)
  return isRestricted ? undefined : onChange
}

/** As much of a server of the official SDK, v2 or v1, as announcing takes. */
interface Announcer {
  readonly transport?: unknown
  onclose?: (() => void) | undefined
  registerCapabilities(capabilities: object): void
  sendResourceListChanged(): Promise<void>
}

/**
 * Advertises and sends `notifications/resources/list_changed` whenever skills change, through a server of
 * the official SDK that stays connected (stdio, a session). Call it before the server connects. A handler
 * that makes a server for each request has a bus of its own instead:
 * `skills.onChange(() => handler.notify.resourcesChanged())`.
 *
 * @param server An `McpServer` or a `Server`.
 * @param skills What was attached to it: live skills, or what they were joined to.
 * @throws TypeError if nothing in it ever changes, or an access rule is around it: a change would tell of
 *   skills that the client may not see.
 *
 * @example
 * attachSkills(server, skills)
 * announceChanges(server, skills)
 */
export function announceChanges(server: object, skills: Skills): void {
  const onChange = changesOf(skills)
  if (!onChange)
    throw new TypeError(
      'Of these skills no change is announced: either there is none, or an access rule is around them, and a change could be one that the client may not see',
    )
  const target = ('server' in server ? server.server : server) as Announcer
  const { onclose } = target
  target.registerCapabilities({ resources: { listChanged: true } })
  const stop = onChange(() => {
    // Nobody misses what is announced to nobody.
    if (target.transport) target.sendResourceListChanged().catch(stop)
  })
  function close(): void {
    stop()
    onclose?.()
  }
  // A property in both SDKs, and no event.
  Object.assign(target, { onclose: close })
}
