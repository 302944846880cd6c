import type { CompiledSkills } from './compiled.ts'
import type { SkillSource } from './source.ts'
import type { Skill } from './wire.ts'
import { sourceOf } from './catalog.ts'
import { isCompiled } from './compiled.ts'
import { refuseConflicts } from './conflicts.ts'
import { byUri } from './uri.ts'

/**
 * One source of many. The first that knows a URI answers for it.
 *
 * @throws Error if two compiled sets give one URI different bytes, or a skill of one lies in a skill of
 *   another that does not hold the same files there; and where skills are computed, for a path that two
 *   sources serve, and for nestings that cannot be served.
 *
 * @example
 * import admin from 'virtual:admin-skills'
 * import skills from 'virtual:skills'
 *
 * export default serveSkills(joinSkills(skills, admin), { name: 'acme', version: '1.0.0' })
 */
export function joinSkills(...skills: readonly (CompiledSkills | SkillSource)[]): SkillSource {
  const sources = skills.map(sourceOf)
  const computed = sources.find((source) => source.computed)?.computed
  if (computed) return computed.join(skills)
  refuseConflicts(skills.filter(isCompiled))

  async function first<M extends 'get' | 'read' | 'readDirectory'>(
    method: M,
    ...[uri, context]: Parameters<SkillSource[M]>
  ): Promise<Awaited<ReturnType<SkillSource[M]>> | undefined> {
    for (const source of sources) {
      const found = await source[method](uri, context)
      if (found) return found as Awaited<ReturnType<SkillSource[M]>>
    }
    return undefined
  }

  return {
    async list(after, limit, context) {
      const lists = await Promise.all(sources.map((source) => source.list(after, limit, context)))
      const found = new Map<string, Skill>()
      for (const skill of lists.flat()) if (!found.has(skill.uri)) found.set(skill.uri, skill)
      return [...found.values()].sort(byUri).slice(0, limit)
    },
    get: (uri, context) => first('get', uri, context),
    read: (uri, context) => first('read', uri, context),
    readDirectory: (uri, context) => first('readDirectory', uri, context),
  }
}
