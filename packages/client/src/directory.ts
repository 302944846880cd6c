import type { Skill } from '@embed-skills/runtime'
import type { SkillServer } from './server.ts'
import type { DirectoryEntry } from './skill.ts'
import { canonical, filePathOf, filesOf, rootOf } from './ref.ts'

/**
 * The direct children of a folder of a skill. With a manifest, the manifest alone is asked: what a
 * server adds to a listing later is no file of the skill that was loaded.
 *
 * @throws Error if a dynamic skill's server does not list directories.
 */
export async function listSkillDirectory(
  server: SkillServer,
  skill: Skill,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<DirectoryEntry[]> {
  const path = folder.replace(/^(?:\.?\/)+|\/+$/g, '').replace(/^\.$/, '')
  const prefix = path === '' ? '' : `${path}/`
  if (skill.resources !== 'dynamic') return fromManifest(skill, prefix)

  // No folder of a skill has such a name, and what it leads to may be another skill's.
  if (path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) return []
  const uri = [rootOf(skill.uri), ...path.split('/').filter(Boolean).map(encodeURIComponent)].join('/')
  const { resources } = await server.reader.readDirectory(canonical(uri), signal ? { signal } : undefined)
  return resources.flatMap((child): DirectoryEntry[] => {
    const below = filePathOf(skill.uri, child.uri)
    const name = below.slice(prefix.length)
    // Neither a file of another skill nor one further down is a child of this folder.
    if (!canonical(child.uri).startsWith(`${rootOf(skill.uri)}/`) || !below.startsWith(prefix)) return []
    if (name === '' || name.includes('/')) return []
    const size = typeof child.size === 'number' ? { size: child.size } : {}
    return child.mimeType === 'inode/directory'
      ? [{ name, path: below, kind: 'directory' }]
      : [{ name, path: below, kind: 'file', ...size }]
  })
}

function fromManifest(skill: Skill, prefix: string): DirectoryEntry[] {
  const entries = new Map<string, DirectoryEntry>()
  for (const [path, { size }] of filesOf(skill)) {
    if (!path.startsWith(prefix)) continue
    const [name, ...further] = path.slice(prefix.length).split('/')
    if (!name || entries.has(name)) continue
    const at = { name, path: prefix + name }
    entries.set(name, further.length ? { ...at, kind: 'directory' } : { ...at, kind: 'file', size })
  }
  return [...entries.values()]
}
