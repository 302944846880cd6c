import type { CompiledSkills, CompiledSource } from './compiled.ts'
import { compiledSource } from './compiled.ts'

const sources = new WeakMap<CompiledSkills, CompiledSource>()

/**
 * The one source of a compiled set, for those that ask for it again and again: a server that is made
 * for every request would otherwise parse its skills for every request.
 */
export function sharedSource(skills: CompiledSkills): CompiledSource {
  const source = sources.get(skills) ?? compiledSource(skills)
  sources.set(skills, source)
  return source
}
