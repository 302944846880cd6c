import type { CompiledSkills } from './compiled.ts'
import type { Skill, SkillResource } from './wire.ts'
import { compiledSource } from './compiled.ts'
import { SKILL_MD } from './uri.ts'

/**
 * One URI has one content, whichever set holds it (feature N8), and a skill has all the files of a
 * skill that lies in it (features E7 and A9).
 *
 * @throws Error that names the two.
 */
export function refuseConflicts(sets: readonly CompiledSkills[]): void {
  if (sets.length < 2) return
  const skills = sets.flatMap((set) => compiledSource(set).list('', Infinity).items)
  const digests = new Map<string, string>()
  for (const { uri, digest } of skills.flatMap(filesOf)) {
    if ((digests.get(uri) ?? digest) !== digest)
      throw new Error(`Two compiled sets hold different bytes for ${uri}`)
    digests.set(uri, digest)
  }

  const byUri = new Map(skills.map((skill) => [skill.uri, skill]))
  for (const inner of skills)
    for (let end = inner.uri.length - SKILL_MD.length; (end = inner.uri.lastIndexOf('/', end - 1)) > 0;) {
      const outer = byUri.get(inner.uri.slice(0, end) + SKILL_MD)
      if (outer && namesBelow(outer, inner) !== namesBelow(inner, inner))
        throw new Error(
          `${inner.uri} lies in the skill ${outer.uri}, which has other files there: give one of them another prefix, or the same files`,
        )
    }
}

function filesOf({ resources }: Skill): readonly SkillResource[] {
  return resources as readonly SkillResource[]
}

/** What `outer` has in the folder of `inner`. */
function namesBelow(outer: Skill, inner: Skill): string {
  const folder = inner.uri.slice(0, 1 - SKILL_MD.length)
  const below = filesOf(outer).filter(({ uri }) => uri.startsWith(folder))
  return below
    .map(({ uri }) => uri)
    .sort()
    .join()
}
