import type { CompiledSkills } from '../compiled.ts'
import type { SkillSummary } from '../computed/traits.ts'
import type { CallerContext, MaybePromise, RequestContext, SkillSource } from '../source.ts'
import type { Resource, Skill } from '../wire.ts'
import { sourceOf } from '../catalog.ts'
import { callApp } from '../computed/call.ts'
import { fill } from '../computed/fill.ts'
import { hintsOf, withHints } from '../computed/hints.ts'
import { once, stateOf } from '../computed/state.ts'
import { computedSource, traitsOf } from '../computed/traits.ts'
import { ProtocolError } from '../errors.ts'
import { ROOT, SKILL_MD } from '../uri.ts'

/** Whether the caller of a request may have a skill. */
export type Rule = (skill: SkillSummary, context: CallerContext) => MaybePromise<boolean>

export interface AuthorizeOptions {
  /** Milliseconds that the rule may take: 30,000 by default. */
  readonly timeoutMs?: number
}

/** Skills nest no deeper (and a URI of a thousand segments costs nothing). */
const MAX_DEPTH = 32

/**
 * Skills for those who may have them (feature A4). What a rule denies cannot be told from what does not
 * exist: it is missing from listings, whose pages are as full as ever, and everything else answers as
 * for any unknown URI. A rule that throws or does not answer denies, and is logged. Nothing of such a
 * source is `public`, and it announces no changes.
 *
 * A file can be read if any skill that the caller may have lists it: denying a skill that nests in an
 * allowed one hides its entry, and not the files that the outer one lists.
 *
 * @param rule Only `context.authInfo` was verified; whatever else it reads of a request, the client wrote.
 *
 * @example
 * const mine = authorize(skills, ({ frontmatter }, { authInfo }) =>
 *   frontmatter.metadata?.team === authInfo?.extra?.team,
 * )
 */
export function authorize(
  skills: CompiledSkills | SkillSource,
  rule: Rule,
  { timeoutMs }: AuthorizeOptions = {},
): SkillSource {
  const inner = sourceOf(skills)
  const { onChange: _, ...traits } = traitsOf(skills)
  const peekInner = traits.peek ?? ((uri, context) => inner.get(uri, context))

  /** Asked once a request for each skill. */
  function isAllowed(skill: SkillSummary, context: RequestContext): Promise<boolean> {
    const { uri, frontmatter, _meta } = skill
    const ask = async (): Promise<boolean> => {
      const summary = { uri, frontmatter, ...(_meta && { _meta }) }
      const answer = await orNothing(context, () =>
        callApp(context, `the access rule for ${uri}`, (context) => rule(summary, context), timeoutMs),
      )
      // Only a plain yes is one.
      return answer === true
    }
    return once(context, isAllowed, ask, uri)
  }

  /**
   * The skill at a URI, if the caller may have it. One that fails before that is known is none: who may
   * not have it must not learn that it is there.
   */
  async function peek(uri: string, context: RequestContext): Promise<SkillSummary | undefined> {
    const skill = await orNothing(context, () => peekInner(uri, context))
    return skill && (await isAllowed(skill, context)) ? skill : undefined
  }

  /**
   * Which files and folders below a URI the caller may have, if any: those that some skill around it lists.
   * Whatever is there comes of the innermost skill. Who may have that may have all of it, and so may who
   * has a dynamic one around it.
   */
  async function listedBy(
    below: string,
    context: RequestContext,
  ): Promise<((uri: string) => boolean) | undefined> {
    const listed: string[] = []
    let isInnermost = true
    for (const root of rootsAround(below)) {
      const at = root + SKILL_MD
      if (await peek(at, context)) {
        if (isInnermost) return () => true
        const { resources = [] } = (await orNothing(context, () => inner.get(at, context))) ?? {}
        if (resources === 'dynamic') return () => true
        for (const file of resources) listed.push(file.uri)
      } else if (await orNothing(context, () => peekInner(at, context))) isInnermost = false
    }
    if (!listed.length) return undefined
    return (uri) => listed.some((file) => file === uri || file.startsWith(`${uri}/`))
  }

  async function isReadable(uri: string, context: RequestContext): Promise<boolean> {
    const isListed = await listedBy(uri, context)
    return isListed?.(uri) ?? false
  }

  /** A `SKILL.md` in a folder says what its skill is, to who may have the skill. */
  async function asAllowed(child: Resource, context: RequestContext): Promise<Resource> {
    if (!child.uri.endsWith(SKILL_MD) || (await peek(child.uri, context))) return child
    const { uri, mimeType, size } = child
    const file = { uri, name: SKILL_MD.slice(1), mimeType: mimeType!, ...(size !== undefined && { size }) }
    return withHints(file, ...hintsOf(child))
  }

  async function readDirectory(uri: string, context: RequestContext): Promise<Resource[] | undefined> {
    const isListed = await listedBy(`${uri}/`, context)
    const found = isListed && (await inner.readDirectory(uri, context))
    if (!found) return undefined
    const children = found.filter((child) => isListed(child.uri))
    // A folder that is empty but for what is denied would not be there without it.
    if (found.length && !children.length) return undefined
    return Promise.all(children.map((child) => asAllowed(child, context)))
  }

  return computedSource(
    {
      list: (after, limit, context) =>
        fill(after, limit, context, {
          fetch: (after, limit) => inner.list(after, limit, context),
          keep: async (skill) => ((await isAllowed(skill, context)) ? skill : undefined),
        }),
      get: async (uri, context): Promise<Skill | undefined> =>
        (await peek(uri, context)) ? inner.get(uri, context) : undefined,
      read: async (uri, context) => ((await isReadable(uri, context)) ? inner.read(uri, context) : undefined),
      readDirectory,
    },
    { ...traits, peek, isRestricted: true },
  )
}

/** The folders that could be skills around a URI, from the innermost outwards. */
function rootsAround(uri: string): string[] {
  const roots: string[] = []
  for (let end = ROOT.length; roots.length < MAX_DEPTH && (end = uri.indexOf('/', end + 1)) > 0;)
    roots.unshift(uri.slice(0, end))
  return roots
}

/** A failure counts as nothing. One of computed skills was logged where it happened, any other is here. */
async function orNothing<T>(context: RequestContext, job: () => MaybePromise<T>): Promise<T | undefined> {
  try {
    return await job()
  } catch (error) {
    if (!(error instanceof ProtocolError || context.signal?.aborted))
      stateOf(context).logger.error('embed-skills: a source behind an access rule failed', error)
    return undefined
  }
}
