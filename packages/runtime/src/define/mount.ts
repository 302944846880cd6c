import type { CacheHints, Resource, ResourceContents, Skill, SkillResource } from '../wire.ts'
import type { SkillSummary } from '../computed/traits.ts'
import type { RequestContext } from '../source.ts'
import type { Blueprint, CodeFile } from './blueprint.ts'
import { mapBounded } from '../computed/gate.ts'
import { completeHints, withHints } from '../computed/hints.ts'
import { warnOfSize } from '../computed/limits.ts'
import { once, stateOf } from '../computed/state.ts'
import { byUri, SKILL_MD } from '../uri.ts'
import { DIRECTORY_MIME_TYPE, skillResource } from '../wire.ts'
import { digestOf, toBase64 } from '../encoding/bytes.ts'
import { gaveOut, readAs } from './given.ts'
import { fileUri } from './path.ts'

/** How a skill in code is served. */
export interface Placement {
  /** Who promises that digests hold. */
  readonly owner: object
  /** Whether its digests hold, so that it has a manifest. */
  readonly stable: boolean
  /** Hints of its own; undefined for one that is static, and so has those of the catalog. */
  readonly hints: CacheHints | undefined
  /** What the same bytes go with, for the same caller. */
  version?(context: RequestContext): Promise<string>
}

/** A skill in code, at its place. Its methods take URIs below it, in canonical spelling. */
export interface MountedSkill {
  /** The skill without its files: nothing is rendered for it. */
  readonly summary: SkillSummary
  get(context: RequestContext): Promise<Skill>
  read(uri: string, context: RequestContext): Promise<ResourceContents | undefined>
  readDirectory(uri: string, context: RequestContext): readonly Resource[] | undefined
}

/** Puts a skill below `root` (`skill://acme/refunds`). */
export function mount(blueprint: Blueprint, root: string, placement: Placement): MountedSkill {
  const uri = root + SKILL_MD
  const { frontmatter, files, directories, meta } = blueprint
  const byFileUri = new Map(files.map((file) => [fileUri(root, file.path), file]))
  const mark = <T extends object>(item: T): T => (placement.hints ? withHints(item, placement.hints) : item)

  async function manifest(context: RequestContext): Promise<readonly SkillResource[]> {
    const rows = await mapBounded([...byFileUri], async ([uri, file]) => {
      const rendered = await file.render(context)
      return { uri, digest: await digestOf(rendered), size: rendered.bytes.length }
    })
    warnOfSize(placement.owner, uri, rows, context)
    if (!isConstant) for (const { uri, digest } of rows) await gaveOut(uri, digest, placement, context)
    return rows
  }

  const isConstant = files.every((file) => file.isConstant)

  const summary: SkillSummary = { uri, frontmatter, ...(meta && { _meta: meta }) }

  return {
    summary,
    get: (context) =>
      once(context, byFileUri, async () => {
        const resources: Skill['resources'] = placement.stable ? await manifest(context) : 'dynamic'
        return mark({ uri, frontmatter, resources, ...(meta && { _meta: meta }) })
      }),

    async read(uri, context) {
      const file = byFileUri.get(uri)
      if (!file) return undefined
      const { bytes, text } = await file.render(context)
      if (placement.stable && !file.isConstant) await readAs(uri, { bytes, text }, placement, context)
      const content = text === undefined ? { blob: toBase64(bytes) } : { text }
      return mark({ uri, mimeType: file.mimeType, ...content })
    },

    readDirectory(directory, context) {
      const found = new Map<string, Resource>()
      const prefix = `${directory}/`
      const folders = directories.map((path) => fileUri(root, path))
      for (const below of [...byFileUri.keys(), ...folders]) {
        if (!below.startsWith(prefix)) continue
        const [segment] = below.slice(prefix.length).split('/')
        const child = prefix + segment!
        const file = byFileUri.get(child)
        found.set(
          child,
          mark(file ? fileResource(child, file) : folderResource(child, decodeURIComponent(segment!))),
        )
      }
      if (!found.size && !folders.includes(directory)) return undefined
      if (!found.size && placement.hints) stateOf(context).isPartial = true
      return [...found.values()].sort(byUri)
    },
  }

  function fileResource(child: string, { path, mimeType }: CodeFile): Resource {
    if (child === uri) return skillResource({ uri, frontmatter, resources: 'dynamic' })
    return { uri: child, name: path.slice(path.lastIndexOf('/') + 1), mimeType }
  }
}

function folderResource(uri: string, name: string): Resource {
  return { uri, name, mimeType: DIRECTORY_MIME_TYPE }
}

/** Hints of a skill in code, those of what serves it where it has none. */
export function placementHints({ hints }: Blueprint, outer: Partial<CacheHints> = {}): CacheHints {
  return completeHints({ ...outer, ...hints })
}
