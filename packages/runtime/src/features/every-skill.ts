import type { SkillCatalog } from '../catalog.ts'
import type { RequestContext } from '../source.ts'
import type { CacheHints, Skill } from '../wire.ts'
import { ROOT, SKILL_MD } from '../uri.ts'

/**
 * Every listed skill that a caller may see, page by page. `hints` collects for how long, and by whom, what
 * is made of all pages so far may be kept.
 */
export async function* everySkill(
  catalog: SkillCatalog,
  context: RequestContext,
  hints: CacheHints[] = [],
): AsyncGenerator<Skill> {
  let cursor: string | undefined
  do {
    const page = await catalog.list(cursor === undefined ? {} : { cursor }, context)
    hints.push({ ...catalog.cacheHints, ...page })
    yield* page.skills
    cursor = page.nextCursor
  } while (cursor !== undefined && !context.signal?.aborted)
}

/** The path of a skill: `acme/refunds`. */
export function pathOf({ uri }: Skill): string {
  return uri.slice(ROOT.length, -SKILL_MD.length)
}

/** The path of a file below its skill, as on disk. */
export function fileOf(skill: Skill, uri: string): string {
  return decodeURIComponent(uri.slice(skill.uri.length + 1 - SKILL_MD.length))
}

/** One line about a skill for a model to choose by. */
export function summaryOf(skill: Skill, label: string = pathOf(skill)): string {
  return `- ${label}: ${skill.frontmatter.description.replace(/\s+/g, ' ').trim()}`
}

/** On results that are made anew for each call, and so have no time for which they could be kept. */
export const NOT_KEPT: object = { ttlMs: undefined, cacheScope: undefined }
