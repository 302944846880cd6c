import type { SkillCatalog } from '../catalog.ts'
import type { Feature } from '../methods.ts'
import type { RequestContext } from '../source.ts'
import type { CacheHints, Resource, Skill } from '../wire.ts'
import { narrow } from '../computed/hints.ts'
import { afterCursor } from '../cursor.ts'
import { byUri } from '../uri.ts'
import { skillResource } from '../wire.ts'
import { everySkill, fileOf } from './every-skill.ts'

/** Files a page. */
const PAGE = 100

/**
 * What `resources/list` shows of skills: the `SKILL.md` of each (`skills`, as without this), every file
 * of each (`files`), or nothing (`none`). All files can be read whatever is listed.
 *
 * @example
 * serveSkills(skills, info, { features: [listing('files')] })
 */
export function listing(shown: 'skills' | 'files' | 'none'): Feature {
  return ({ catalog, methods }) => {
    if (shown === 'none') methods.set('resources/list', async () => ({ resources: [] }))
    if (shown === 'files')
      methods.set('resources/list', async ({ cursor }, context) => {
        const hints: CacheHints[] = []
        const files = await filesAfter(catalog, afterCursor(cursor), context, hints)
        const resources = await withTypes(catalog, files.slice(0, PAGE), context)
        return {
          resources,
          ...(files.length > PAGE && { nextCursor: resources.at(-1)!.uri }),
          ...narrow(hints, catalog.cacheHints),
        }
      })
  }
}

/** The files that follow `after`, and one more than a page holds if there is one; no more are kept. */
async function filesAfter(
  catalog: SkillCatalog,
  after: string,
  context: RequestContext,
  hints: CacheHints[],
): Promise<Resource[]> {
  let found = new Map<string, Resource>()
  for await (const skill of everySkill(catalog, context, hints)) {
    for (const file of filesOf(skill)) if (file.uri > after && !found.has(file.uri)) found.set(file.uri, file)
    if (found.size > 2 * PAGE) found = firstOf(found)
  }
  return [...firstOf(found).values()]
}

function firstOf(files: ReadonlyMap<string, Resource>): Map<string, Resource> {
  const first = [...files.values()].sort(byUri).slice(0, PAGE + 1)
  return new Map(first.map((file) => [file.uri, file]))
}

function filesOf(skill: Skill): Resource[] {
  const files = skill.resources === 'dynamic' ? [] : skill.resources
  const others = files.filter(({ uri }) => !uri.endsWith('/SKILL.md'))
  return [skillResource(skill), ...others.map(({ uri, size }) => ({ uri, size, name: fileOf(skill, uri) }))]
}

/** The same files with their media types, which folders know and manifests do not. */
async function withTypes(
  catalog: SkillCatalog,
  files: readonly Resource[],
  context: RequestContext,
): Promise<Resource[]> {
  if (!catalog.readDirectory) return [...files]
  const types = new Map<string, string | undefined>()
  for (const folder of new Set(files.map(({ uri }) => uri.slice(0, uri.lastIndexOf('/'))))) {
    let cursor: string | undefined
    do {
      const page = await catalog.readDirectory(
        { uri: folder, ...(cursor !== undefined && { cursor }) },
        context,
      )
      for (const { uri, mimeType } of page.resources) types.set(uri, mimeType)
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }
  return files.map((file) => {
    const mimeType = file.mimeType ?? types.get(file.uri)
    return { ...file, ...(mimeType !== undefined && { mimeType }) }
  })
}
