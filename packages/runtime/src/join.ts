import type { CompiledSkills } from './compiled.ts'
import type { SkillSource } from './source.ts'
import type { Skill, SkillResource } from './wire.ts'
import { sourceOf } from './catalog.ts'
import { compiledSource, isCompiled } from './compiled.ts'
import { byUri } from './uri.ts'

/**
 * One source of many, listed together in order of their URIs. Where several know a URI, the first of
 * them answers for it.
 *
 * @throws Error if two compiled sets give one URI different bytes.
 * @throws TypeError for a compiled set whose format this runtime does not read.
 *
 * @example
 * // embedSkills({ from: 'admin/*', id: 'virtual:admin-skills' }) in vite.config.ts makes the other set
 * import { joinSkills } from '@embed-skills/runtime'
 * import { serveSkills } from '@embed-skills/runtime/fetch'
 * import admin from 'virtual:admin-skills'
 * import skills from 'virtual:skills'
 *
 * export default serveSkills(joinSkills(skills, admin), { name: 'acme', version: '1.0.0' })
 */
export function joinSkills(...skills: readonly (CompiledSkills | SkillSource)[]): SkillSource {
  refuseConflicts(skills.filter(isCompiled))
  const sources = skills.map(sourceOf)

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
      const pages = await Promise.all(sources.map((source) => source.list(after, limit, context)))
      const found = new Map<string, Skill>()
      for (const { items } of pages)
        for (const skill of items) if (!found.has(skill.uri)) found.set(skill.uri, skill)
      const items = [...found.values()].sort(byUri)
      return { items: items.slice(0, limit), more: items.length > limit || pages.some(({ more }) => more) }
    },
    get: (uri, context) => first('get', uri, context),
    read: (uri, context) => first('read', uri, context),
    readDirectory: (uri, context) => first('readDirectory', uri, context),
  }
}

/** One URI has one content, whichever set holds it. */
function refuseConflicts(sets: readonly CompiledSkills[]): void {
  if (sets.length < 2) return
  const digests = new Map<string, string>()
  for (const { resources } of sets.flatMap((set) => compiledSource(set).list('', Infinity).items))
    for (const { uri, digest } of resources as SkillResource[]) {
      if ((digests.get(uri) ?? digest) !== digest)
        throw new Error(`Two compiled sets hold different bytes for ${uri}`)
      digests.set(uri, digest)
    }
}
