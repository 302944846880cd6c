import type { CompiledSkills } from '../compiled.ts'
import type { SkillSummary } from '../computed/traits.ts'
import type { CallerContext, MaybePromise, RequestContext, SkillSource } from '../source.ts'
import { sourceOf } from '../catalog.ts'
import { once } from '../computed/state.ts'
import { traitsOf } from '../computed/traits.ts'
import { rootAt } from '../define/path.ts'
import { ROOT, SKILL_MD } from '../uri.ts'
import { authorize } from './authorize.ts'

/**
 * Skills by an allow-list (feature P12). An allowed skill includes those that nest in it; a path at which
 * there is no skill allows nothing.
 *
 * @param paths Skill paths, or a function that gives those of the caller. Those of an array are checked.
 * @throws TypeError for what is no skill path.
 *
 * @example
 * const mine = allowSkills(skills, ({ authInfo }) => plans[authInfo?.extra?.plan]?.skills ?? [])
 */
export function allowSkills(
  skills: CompiledSkills | SkillSource,
  paths: readonly string[] | ((context: CallerContext) => MaybePromise<readonly string[]>),
): SkillSource {
  if (typeof paths !== 'function') paths.forEach(rootAt)
  const inner = sourceOf(skills)
  const { peek = (uri: string, context: RequestContext) => inner.get(uri, context) } = traitsOf(skills)

  async function isAllowed({ uri }: SkillSummary, context: CallerContext): Promise<boolean> {
    // Asked for once a request, however many skills there are.
    const listed = async (): Promise<readonly string[]> =>
      typeof paths === 'function' ? paths(context) : paths
    const allowed = await once(context, isAllowed, listed)
    const around = allowed.map((path) => ROOT + path).filter((root) => uri.startsWith(`${root}/`))
    for (const root of around) {
      const outer = root + SKILL_MD
      if (outer === uri || (await peek(outer, context))) return true
    }
    return false
  }
  return authorize(skills, isAllowed)
}

/**
 * Skills for tokens with certain scopes, all of them, as the server verified the token (feature A4).
 *
 * @throws TypeError if there are none.
 *
 * @example
 * const admin = requiredScopes(adminSkills, ['skills:admin'])
 */
export function requiredScopes(skills: CompiledSkills | SkillSource, scopes: readonly string[]): SkillSource {
  if (!scopes.length) throw new TypeError('requiredScopes needs at least one scope')
  return authorize(skills, (_, { authInfo }) => {
    const held = authInfo?.scopes
    return Array.isArray(held) && scopes.every((scope) => held.includes(scope))
  })
}
