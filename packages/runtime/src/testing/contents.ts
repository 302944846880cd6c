import type { RequestContext, SkillSource } from '../source.ts'
import type { ResourceContents } from '../wire.ts'
import { fromBase64 } from '../encoding/bytes.ts'
import { rootAt } from '../define/path.ts'
import { SKILL_MD } from '../uri.ts'
import { DIRECTORY_MIME_TYPE } from '../wire.ts'
import { refuseUnstable } from './check-stable.ts'

/** The files of a skill by path relative to it: text, or bytes where they are no text. */
export type SkillContents = Record<string, string | Uint8Array>

export interface ContentsOptions {
  /** The path of the skill, in a source of several or of params. */
  readonly path?: string
  /** What the skill is told of the request: `{ authInfo: { extra: { sub: 'ada' } } }`. */
  readonly context?: RequestContext
}

/**
 * The files that a client would receive (feature P17). A stable skill is rendered twice, the second
 * time on another day and in another time zone.
 *
 * @throws UnstableSkillError that names the first byte which differs.
 * @throws RangeError if there is no such skill for this caller.
 *
 * @example
 * const files = await contents(skills, { path: 'studies/42/study-review' })
 */
export async function contents(
  skill: SkillSource & { readonly path?: string },
  { path = skill.path, context = {} }: ContentsOptions = {},
): Promise<SkillContents> {
  if (path === undefined) throw new TypeError('Say which skill: contents(source, { path })')
  const root = rootAt(path)
  const entry = await skill.get(root + SKILL_MD, { ...context })
  if (!entry) throw new RangeError(`There is no skill "${path}" for this caller`)
  if (entry.resources !== 'dynamic') await refuseUnstable(skill, entry, context)
  const uris =
    entry.resources === 'dynamic'
      ? await filesBelow(skill, root, context)
      : entry.resources.map(({ uri }) => uri)
  const files: SkillContents = {}
  for (const uri of uris) {
    const found = await skill.read(uri, { ...context })
    if (found) files[decodeURIComponent(uri.slice(root.length + 1))] = contentOf(found)
  }
  return files
}

/** Every file that folders show, from the outermost on. */
async function filesBelow(skill: SkillSource, folder: string, context: RequestContext): Promise<string[]> {
  const children = (await skill.readDirectory(folder, { ...context })) ?? []
  const below = await Promise.all(
    children.map(({ uri, mimeType }) =>
      mimeType === DIRECTORY_MIME_TYPE ? filesBelow(skill, uri, context) : [uri],
    ),
  )
  return below.flat()
}

function contentOf(found: ResourceContents): string | Uint8Array {
  return 'text' in found ? found.text : fromBase64(found.blob)
}
