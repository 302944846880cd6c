import type { RequestContext } from '../source.ts'
import type { DefinedSkill } from '../define/skill.ts'
import type { PageRequest, ProvidedPage, ProvidedSkill } from './types.ts'
import { malformed } from '../computed/call.ts'
import { principalOf } from '../computed/principal.ts'
import { isArray, isObject, isSkillUri } from './check.ts'

type Provided = ProvidedSkill | DefinedSkill

/** Asks the provider for one page. */
export type AskPage = (
  page: PageRequest,
  context: RequestContext,
) => Promise<ProvidedPage | ProvidedPage['skills']>

/** Up to `limit` skills after a URI. */
export type SkillsAfter = (
  after: string,
  limit: number,
  context: RequestContext,
) => Promise<readonly Provided[]>

/** Pages whose beginning is remembered: as many as walks are likely to go on at once. */
const MANY = 1000

/** Empty pages in a row. */
const MAX_EMPTY = 100

const MAX_OFFSET = 2 ** 31

/**
 * A catalog asks for what follows a URI, so that a walk survives a deploy and a change of the data. Here
 * that becomes what the provider's data is paged by. Nothing of a listing is held but one page.
 */
export function skillsAfter(ask: AskPage, paging: 'after' | 'offset' | 'cursor'): SkillsAfter {
  if (paging === 'offset') return byOffset(ask)
  if (paging === 'cursor') return byCursor(ask)
  return async (after, limit, context) => {
    const { skills } = checkPage(
      await ask({ after, offset: 0, cursor: undefined, limit }, context),
      limit,
      after,
      context,
    )
    return skills
  }
}

function byOffset(ask: AskPage): SkillsAfter {
  const places = createMemory<number>()

  async function page(offset: number, limit: number, context: RequestContext): Promise<readonly Provided[]> {
    const given = await ask({ after: '', offset, cursor: undefined, limit }, context)
    return checkPage(given, limit, '', context).skills
  }

  /** The offset of the first skill after a URI: doubled until it is passed, then halved. */
  async function search(after: string, context: RequestContext): Promise<number> {
    const isPast = async (offset: number): Promise<boolean> => {
      const [skill] = await page(offset, 1, context)
      return !skill || skill.uri > after
    }
    if (await isPast(0)) return 0
    let low = 0
    let high = 1
    while (!(await isPast(high))) {
      low = high
      high *= 2
      if (high > MAX_OFFSET) return malformed(context, 'a provider has a skill at every offset')
    }
    while (high - low > 1) {
      const middle = low + Math.floor((high - low) / 2)
      if (await isPast(middle)) high = middle
      else low = middle
    }
    return high
  }

  return async (after, limit, context) => {
    let offset = 0
    let skills: readonly Provided[] | undefined
    const remembered = after ? places.get(after, context) : undefined
    if (remembered !== undefined) {
      // One more in front tells whether the place is still the same.
      const [last, ...rest] = await page(remembered - 1, limit + 1, context)
      if (last?.uri === after) {
        offset = remembered
        skills = rest
      }
    }
    if (!skills) {
      offset = after ? await search(after, context) : 0
      skills = await page(offset, limit, context)
    }
    // A page shows all of these, or all but the one that tells whether there is another page.
    for (const back of [2, 1]) {
      const index = skills.length - back
      if (index >= 0) places.set(skills[index]!.uri, offset + index + 1, context)
    }
    return skills
  }
}

function byCursor(ask: AskPage): SkillsAfter {
  // The cursor of the page in which a skill is, '' for the first.
  const places = createMemory<string>()

  return async (after, limit, context) => {
    const found: Provided[] = []
    const seen = new Set<string>()
    let cursor = after ? places.get(after, context) || undefined : undefined
    let last = ''
    let empty = 0
    while (true) {
      const page = { after: '', offset: 0, cursor, limit }
      const { skills, nextCursor } = checkPage(await ask(page, context), limit, last, context)
      for (const skill of skills) {
        last = skill.uri
        if (last <= after || found.length === limit) continue
        found.push(skill)
        if (found.length >= limit - 1) places.set(last, cursor ?? '', context)
      }
      if (nextCursor === undefined || found.length === limit) return found
      empty = skills.length ? 0 : empty + 1
      if (seen.has(nextCursor) || empty > MAX_EMPTY)
        return malformed(context, 'a provider gave cursors that lead nowhere')
      seen.add(nextCursor)
      cursor = nextCursor
    }
  }
}

/** Refuses what is no page: a wrong shape, more than was asked for, or not in the order of URIs. */
function checkPage(
  given: ProvidedPage | ProvidedPage['skills'],
  limit: number,
  after: string,
  context: RequestContext,
): { skills: readonly Provided[]; nextCursor: string | undefined } {
  const page: unknown = isArray(given) ? { skills: given } : given
  const refuse = (why: string): never => malformed(context, `a provider gave a page that ${why}`)
  if (!isObject(page)) return refuse('is no page')
  const { skills, nextCursor } = page as { skills: unknown; nextCursor: unknown }
  if (!isArray(skills)) return refuse('has no array of skills')
  if (skills.length > limit) return refuse(`has ${skills.length} skills where ${limit} were asked for`)
  if (nextCursor !== undefined && nextCursor !== null && typeof nextCursor !== 'string')
    return refuse('has a nextCursor that is no text')
  let last = after
  for (const skill of skills) {
    const uri: unknown = isObject(skill) ? (skill as { uri?: unknown }).uri : undefined
    if (!isSkillUri(uri)) return refuse(`has a skill without a proper URI, ${String(uri)}`)
    if (uri <= last)
      return refuse(
        `is not in byte order of its URIs, or begins too early: ${uri} follows ${last}. Sort by uri COLLATE "C"`,
      )
    last = uri
  }
  return { skills: skills as readonly Provided[], nextCursor: nextCursor ?? undefined }
}

interface Memory<T> {
  get(uri: string, context: RequestContext): T | undefined
  set(uri: string, value: T, context: RequestContext): void
}

/** By caller: what one of them sees tells nothing about the pages of another. */
function createMemory<T>(): Memory<T> {
  const values = new Map<string, T>()
  const keyOf = (uri: string, context: RequestContext): string => `${principalOf(context)} ${uri}`
  return {
    get: (uri, context) => values.get(keyOf(uri, context)),
    set(uri, value, context) {
      const key = keyOf(uri, context)
      values.delete(key)
      if (values.size >= MANY) values.delete(values.keys().next().value!)
      values.set(key, value)
    },
  }
}
