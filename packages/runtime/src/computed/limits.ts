import type { RequestContext } from '../source.ts'
import type { SkillResource } from '../wire.ts'
import { stateOf } from './state.ts'

// Every host accepts this much, and no host has to accept more (protocol E8).
const MAX_FILES = 512
const MAX_BYTES = 16_777_216

/** As many as tell that something is wrong. */
const MANY = 1000

const warned = new WeakMap<object, Set<string>>()

/** Feature N10: more than every host accepts is served, and said once. `owner` is what serves the skill. */
export function warnOfSize(
  owner: object,
  uri: string,
  files: readonly SkillResource[],
  context: RequestContext,
): void {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (files.length <= MAX_FILES && bytes <= MAX_BYTES) return
  const said = warned.get(owner) ?? new Set()
  warned.set(owner, said)
  if (said.has(uri) || said.size >= MANY) return
  said.add(uri)
  stateOf(context).logger.warn(
    `embed-skills: ${uri} holds ${files.length} files and ${bytes} bytes, more than every host accepts (${MAX_FILES} and ${MAX_BYTES})`,
  )
}
