/** How skills are named: by the label that the host gave their server, and the URI of their `SKILL.md`. */
import type { Skill } from '@embed-skills/runtime'

/** One skill of one server. The URI alone says nothing: two servers may both serve it. */
export interface SkillRef {
  /** The label that the host gave the server. */
  readonly server: string
  /** The URI of its `SKILL.md`. */
  readonly uri: string
}

const MAIN = '/SKILL.md'

/** The spelling of a URI that compares equal, as WHATWG URLs write it; itself if it is no URL. */
export function canonical(uri: string): string {
  try {
    return new URL(uri).href
  } catch {
    return uri
  }
}

/** A key for maps. A label holds no line break. */
export function keyOf({ server, uri }: SkillRef): string {
  return `${server}\n${canonical(uri)}`
}

/** The folder that a skill's files lie in, without a slash at its end. */
export function rootOf(uri: string): string {
  return canonical(uri).slice(0, -MAIN.length)
}

/** `acme/refunds` of `skill://acme/refunds/SKILL.md`, decoded. */
export function skillPathOf(uri: string): string {
  return decodePath(rootOf(uri).replace(/^[^:]*:\/*/, ''))
}

/** The last segment of the skill path, which is the skill's name. */
export function nameOf(uri: string): string {
  return skillPathOf(uri).split('/').at(-1)!
}

/** A file's path below its skill, decoded: `references/Q&A.md`. */
export function filePathOf(skillUri: string, fileUri: string): string {
  return decodePath(canonical(fileUri).slice(rootOf(skillUri).length + 1))
}

/** Where the skills around a skill would be, if there are any: the `SKILL.md` of each folder above it. */
export function enclosingSkills(uri: string): string[] {
  const above: string[] = []
  let root = rootOf(uri)
  for (let slash = root.lastIndexOf('/'); slash > 0; slash = root.lastIndexOf('/')) {
    root = root.slice(0, slash)
    above.push(root + MAIN)
  }
  return above
}

/** The files of an entry by their paths below the skill; none for a dynamic one. */
export function filesOf({ uri, resources }: Skill): ReadonlyMap<string, { digest: string; size: number }> {
  if (resources === 'dynamic') return new Map()
  return new Map(resources.map((file) => [filePathOf(uri, file.uri), file]))
}

function decodePath(path: string): string {
  return path.split('/').map(decodeSegment).join('/')
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
