import type { CatalogOptions, Params, SkillCatalog, Skills } from '../catalog.ts'
import type { CallerContext, MaybePromise, RequestContext } from '../source.ts'
import type { CacheHints, ListSkillsResult, Skill } from '../wire.ts'
import { createCatalog } from '../catalog.ts'
import { asProtocolError, callApp, malformed } from '../computed/call.ts'
import { mapBounded } from '../computed/gate.ts'
import { KEEP_NOTHING, narrow } from '../computed/hints.ts'
import { begin } from '../computed/state.ts'
import { INVALID_PARAMS, ProtocolError, refuse } from '../errors.ts'
import { skillResource } from '../wire.ts'
import { isArray, isObject, isSkillUri } from './check.ts'
import { fromBase64Url, toBase64Url } from '../encoding/base64url.ts'

/** A page of a listing of one's own. */
export interface ListedSkills {
  /** URIs of `SKILL.md` files, in the order in which they are shown. */
  readonly uris: readonly string[]
  /** Where the next page begins, in whatever form; nobody but `list` reads it. */
  readonly nextCursor?: string | null | undefined
}

export interface ListSkillsOptions extends CatalogOptions {
  /** Milliseconds that `list` may take: 30,000 by default. */
  readonly timeoutMs?: number
}

/** More URIs than any page should have: something is wrong, and every one of them is asked for. */
const MAX_PAGE = 1000

/** Ahead of cursors, so that adapters know them for ours. */
const MARK = 'skill:'

/**
 * A catalog whose listing is up to the app (feature P10): which skills, in which order and in what pages.
 * Each entry is what `skills/get` gives to the same caller; what serves nothing is left out. A host
 * may get any other skill by its URI as before.
 *
 * A client can read the cursors of `list`. Wrap the catalog in `encryptedCursors` if they tell anything.
 *
 * @example
 * const catalog = listSkills(skills, async (cursor, { authInfo }) => {
 *   const { ids, next } = await studiesOf(authInfo, cursor)
 *   return { uris: ids.map((id) => `skill://studies/${id}/study-review/SKILL.md`), nextCursor: next }
 * })
 */
export function listSkills(
  skills: Skills,
  list: (cursor: string | undefined, context: CallerContext) => MaybePromise<ListedSkills>,
  options: ListSkillsOptions = {},
): SkillCatalog {
  const catalog = createCatalog(skills, options)
  const { logger = console, timeoutMs } = options

  async function page({ cursor }: Params, given: RequestContext): Promise<ListSkillsResult> {
    const context = begin(given, logger)
    const position = decodeCursor(cursor)
    const listed = await callApp(
      context,
      'the listing of the app',
      (context) => list(position, context),
      timeoutMs,
    )
    const { uris, nextCursor } = checkListed(listed, context)
    const found = await mapBounded(uris, (uri) =>
      catalog.get({ uri }, given).catch((error: unknown) => {
        if (error instanceof ProtocolError) return undefined
        throw error
      }),
    )
    const hints = found.map((result): CacheHints => {
      const { ttlMs, cacheScope } = { ...catalog.cacheHints, ...result }
      // What serves nothing to this caller may serve something to another.
      return result ? { ttlMs, cacheScope } : KEEP_NOTHING
    })
    return {
      skills: found.flatMap((result): Skill[] => (result ? [result.skill] : [])),
      ...narrow(hints.length ? hints : [KEEP_NOTHING], catalog.cacheHints),
      ...(nextCursor !== undefined && {
        nextCursor: MARK + toBase64Url(new TextEncoder().encode(nextCursor)),
      }),
    }
  }

  const listPage: SkillCatalog['list'] = (params, context) =>
    page(params, context).catch((error: unknown) => asProtocolError(begin(context, logger), error))
  return {
    ...catalog,
    list: listPage,
    async resources(params, context) {
      const { skills, ...rest } = await listPage(params, context)
      return { ...rest, resources: skills.map(skillResource) }
    },
  }
}

function decodeCursor(cursor: unknown): string | undefined {
  if (cursor === undefined) return undefined
  try {
    const [, text] = /^skill:([\w-]+)$/.exec(cursor as string)!
    return new TextDecoder('utf-8', { fatal: true }).decode(fromBase64Url(text!))
  } catch {
    return refuse(INVALID_PARAMS, 'Invalid cursor')
  }
}

function checkListed(
  given: unknown,
  context: RequestContext,
): { uris: readonly string[]; nextCursor: string | undefined } {
  const refuse = (why: string): never => malformed(context, `the listing of the app ${why}`)
  if (!isObject(given)) return refuse('is no page')
  const { uris, nextCursor } = given as { uris: unknown; nextCursor: unknown }
  if (!isArray(uris)) return refuse('has no array of URIs')
  if (uris.length > MAX_PAGE) return refuse(`has a page of ${uris.length} URIs, more than ${MAX_PAGE}`)
  const bad = uris.find((uri) => !isSkillUri(uri))
  if (bad !== undefined)
    return refuse(`has ${String(bad)}, which is no URI of a SKILL.md in canonical spelling`)
  if (new Set(uris).size < uris.length) return refuse('has a URI twice')
  if (nextCursor !== undefined && nextCursor !== null && !(typeof nextCursor === 'string' && nextCursor))
    return refuse('has a nextCursor that is no text')
  return { uris: uris as readonly string[], nextCursor: (nextCursor as string | null) ?? undefined }
}
