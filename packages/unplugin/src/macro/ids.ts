import type { SourceInput, SourceOptions } from '@embed-skills/compiler'
import { idFilter } from '../ids.ts'

const PREFIX = 'virtual:embed-skills'

/** What matches the ids of sets that the macro asks for. */
export const MACRO_ID: RegExp = idFilter(PREFIX)

/**
 * The id of a set. It says what the set is, with bases relative to the root: a bundler that kept the
 * code from an earlier run asks for it without any call having been seen, and no machine differs.
 */
export function macroId(sources: readonly SourceInput[]): string {
  return `${PREFIX}/${Buffer.from(JSON.stringify(sources)).toString('base64url')}`
}

/** What `macroId` said, from the id of the set or of one of its contents. */
export function macroSet(id: string): { id: string; sources: readonly SourceInput[] } {
  const [encoded = ''] = id.slice(id.indexOf(PREFIX) + PREFIX.length + 1).split(/[/?]/)
  const sources = JSON.parse(Buffer.from(encoded, 'base64url').toString()) as readonly SourceInput[]
  return { id: `${PREFIX}/${encoded}`, sources }
}

/** How messages name a set: its id, or the call that made it. */
export function labelOf(id: string): string {
  if (!MACRO_ID.test(id)) return id
  const globs = macroSet(id).sources.flatMap((source) => {
    if (typeof source !== 'object' || !('from' in source)) return JSON.stringify(source)
    const { base = '.', from } = source as SourceOptions
    return [from].flat().map((glob) => `/${base}/${glob}`.replace('/./', '/'))
  })
  return `embedSkills(${globs.join(', ')})`
}
