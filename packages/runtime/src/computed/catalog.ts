import type { CatalogOptions, SkillCatalog } from '../catalog.ts'
import type { RequestContext, SkillSource } from '../source.ts'
import type { CacheHints, ListSkillsResult } from '../wire.ts'
import type { Traits } from './traits.ts'
import { createCatalog } from '../catalog.ts'
import { skillResource } from '../wire.ts'
import { asProtocolError } from './call.ts'
import { createGate } from './gate.ts'
import { hintsOf, KEEP_NOTHING, narrow } from './hints.ts'
import { begin, stateOf } from './state.ts'

/**
 * The catalog of a computed source. It adds to the plain one what only computed skills need: hints of
 * single skills, failures without details, and one state for all that a request asks for.
 *
 * @throws TypeError for access rules without a verified caller, and for a provider that cannot list
 *   directories where directory reads are advertised.
 */
export function computedCatalog(
  { list, get, read, readDirectory }: SkillSource,
  traits: Traits,
  options: CatalogOptions,
): SkillCatalog {
  const { directoryRead = true, logger = console } = options
  if (traits.isRestricted && !options.verified)
    throw new TypeError(
      'Access rules need callers that were verified: say `verified: true` where `authInfo` comes from code that verifies tokens',
    )
  if (directoryRead && traits.lacksDirectories)
    throw new TypeError(
      'This provider has no readDirectory: write one, say `dynamic: false` if every skill of it has a manifest, or serve with `directoryRead: false`',
    )

  const plain = createCatalog({ list, get, read, readDirectory }, options)
  // Where any rule applies nothing is the same for everyone.
  const cacheHints: CacheHints = traits.isRestricted
    ? { ...plain.cacheHints, cacheScope: 'private' }
    : plain.cacheHints
  const gate = options.concurrency === undefined ? undefined : createGate(options.concurrency)

  /** Answers with the hints of what is in the answer. */
  function answer<P, R extends object>(
    method: (params: P, context: RequestContext) => Promise<R>,
    itemsOf: (result: R) => readonly object[],
  ): (params: P, context: RequestContext) => Promise<R> {
    return async (params, context) => {
      const own = begin(context, logger, gate)
      try {
        const result = await method(params, own)
        const parts = itemsOf(result).flatMap(hintsOf)
        // Under a rule everything is private anyway, and a shorter time would tell that something was left out.
        if (stateOf(own).isPartial && !traits.isRestricted) parts.push(KEEP_NOTHING)
        const hints = parts.length ? narrow(parts, cacheHints) : cacheHints
        return { ...result, ...hints, ...(traits.isRestricted && { cacheScope: 'private' }) }
      } catch (error) {
        return asProtocolError(own, error)
      }
    }
  }

  const listSkills = answer<Parameters<SkillCatalog['list']>[0], ListSkillsResult>(
    (params, context) => plain.list(params, context),
    ({ skills }) => skills,
  )
  return {
    cacheHints,
    list: listSkills,
    async resources(params, context) {
      const { skills, ...rest } = await listSkills(params, context)
      return { ...rest, resources: skills.map(skillResource) }
    },
    get: answer(
      (params, context) => plain.get(params, context),
      ({ skill }) => [skill],
    ),
    read: answer(
      (params, context) => plain.read(params, context),
      ({ contents }) => contents,
    ),
    ...(plain.readDirectory && {
      readDirectory: answer(
        (params, context) => plain.readDirectory!(params, context),
        ({ resources }) => resources,
      ),
    }),
    // Who may not see what changed must not learn that something did.
    ...(traits.onChange && !traits.isRestricted && { onChange: traits.onChange }),
  }
}
