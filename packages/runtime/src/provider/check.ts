import type { RequestContext } from '../source.ts'
import type { Resource, Skill, SkillResource } from '../wire.ts'
import type { ProvidedChild, ProvidedResource, ProvidedSkill } from './types.ts'
import { malformed } from '../computed/call.ts'
import { rootOf } from '../computed/traits.ts'
import { checkFrontmatter, checkPaths } from '../define/blueprint.ts'
import { mimeType } from '../define/mime.ts'
import { isSkillPath } from '../define/path.ts'
import { byUri, canonicalUri, ROOT, SKILL_MD } from '../uri.ts'
import { DIRECTORY_MIME_TYPE } from '../wire.ts'

/** What a provider said of a skill, as far as it is true to its form. */
export interface CheckedSkill {
  readonly entry: Skill
  /** MIME types by URI; empty for a `dynamic` skill. */
  readonly types: ReadonlyMap<string, string>
  readonly directories: readonly string[]
}

const DIGEST = /^sha256:[\da-f]{64}$/
const MIME_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w.+=-]+)*$/

/** More children than any skill has files: something is wrong, and they would all be held at once. */
const MAX_CHILDREN = 10_000

/**
 * Whether a canonical URI names what no file of a skill is called: with a control character, or with a
 * backslash, which is a separator to some (feature P8). No provider is asked for it.
 */
export function hasOddName(uri: string): boolean {
  return /%(?:5C|[01][\dA-F]|7F|C2%[89][\dA-F])/.test(uri)
}

/** Whether something is the URI of a `SKILL.md` in its one spelling. */
export function isSkillUri(uri: unknown): uri is string {
  return (
    typeof uri === 'string' &&
    canonicalUri(uri) === uri &&
    uri.endsWith(SKILL_MD) &&
    isSkillPath(rootOf(uri).slice(ROOT.length).split('/'))
  )
}

/** A skill with nothing in it but what was checked; anything else fails the request. */
export function checkSkill(given: ProvidedSkill, context: RequestContext): CheckedSkill {
  const refuse = (why: string): never =>
    malformed(context, `a provider gave a skill that cannot be served, ${String(Object(given).uri)}: ${why}`)
  if (!isObject(given)) return refuse('it is no object')
  const { uri, frontmatter, resources, directories = [], _meta } = given
  if (!isSkillUri(uri)) return refuse('its URI is not that of a SKILL.md in canonical spelling')
  const root = rootOf(uri)
  try {
    if (!isObject(frontmatter)) throw new TypeError('it has no frontmatter')
    if (!isArray(directories)) throw new TypeError('its directories are no array')
    if (_meta !== undefined && !isObject(_meta)) throw new TypeError('its _meta is no object')
    const checked = checkFrontmatter(frontmatter, root.slice(root.lastIndexOf('/') + 1))
    const files = resources === 'dynamic' ? [] : checkResources(resources, root)
    checkPaths(
      files.map((file) => decodePath(root, file.uri)).concat(resources === 'dynamic' ? 'SKILL.md' : []),
      directories,
    )
    return {
      entry: {
        uri,
        frontmatter: checked,
        resources:
          resources === 'dynamic'
            ? resources
            : files.map(({ uri, digest, size }): SkillResource => ({ uri, digest, size })),
        ...(_meta && { _meta }),
      },
      types: new Map(files.map((file) => [file.uri, typeOf(file.uri, file.mimeType)])),
      directories,
    }
  } catch (error) {
    return refuse((error as Error).message)
  }
}

/** The rows of a manifest, `SKILL.md` first and the rest by URI. */
function checkResources(resources: unknown, root: string): ProvidedResource[] {
  if (!isArray(resources)) throw new TypeError('its resources are neither an array nor "dynamic"')
  const uri = root + SKILL_MD
  const seen = new Set<string>()
  for (const row of resources as readonly ProvidedResource[]) {
    if (!isObject(row) || !isBelow(row.uri, root)) throw new TypeError('a file of it lies elsewhere')
    if (seen.has(row.uri)) throw new TypeError(`${row.uri} stands there twice`)
    seen.add(row.uri)
    if (!DIGEST.test(row.digest)) throw new TypeError(`${row.uri} has no sha256 digest`)
    if (!isSize(row.size)) throw new TypeError(`${row.uri} has no size in bytes`)
    checkType(row.mimeType)
  }
  if (!seen.has(uri)) throw new TypeError('its SKILL.md is not among its files')
  const rows = [...(resources as readonly ProvidedResource[])].sort(byUri)
  return [...rows.filter((row) => row.uri === uri), ...rows.filter((row) => row.uri !== uri)]
}

/** The children of a folder, and nothing but the fields of a resource. */
export function checkChildren(given: unknown, directory: string, context: RequestContext): Resource[] {
  const refuse = (why: string): never =>
    malformed(context, `a provider gave a listing of ${directory} that cannot be served: ${why}`)
  if (!isArray(given)) return refuse('it is no array')
  if (given.length > MAX_CHILDREN) return refuse(`it has ${given.length} entries`)
  const seen = new Set<string>()
  return (given as readonly ProvidedChild[]).map((child): Resource => {
    const uri: unknown = isObject(child) ? child.uri : undefined
    if (!isBelow(uri, directory) || uri.includes('/', directory.length + 1))
      return refuse(`${String(uri)} is no direct child in canonical spelling`)
    if (seen.has(uri)) return refuse(`${uri} stands there twice`)
    seen.add(uri)
    const { mimeType: type, size, description } = child
    if (size !== undefined && !isSize(size)) return refuse(`${uri} has no size in bytes`)
    if (description !== undefined && typeof description !== 'string')
      return refuse(`${uri} has a description that is no text`)
    try {
      checkType(type)
    } catch (error) {
      return refuse((error as Error).message)
    }
    const name = decodeURIComponent(uri.slice(directory.length + 1))
    const isFolder = type === DIRECTORY_MIME_TYPE
    return {
      uri,
      name,
      ...(description !== undefined && { description }),
      mimeType: isFolder ? type : typeOf(uri, type),
      ...(size !== undefined && !isFolder && { size }),
    }
  })
}

/** @throws TypeError for what is no MIME type. */
export function checkType(type: unknown): void {
  if (type !== undefined && !(typeof type === 'string' && MIME_TYPE.test(type)))
    throw new TypeError(`${JSON.stringify(type)} is no MIME type`)
}

/** The MIME type that was given, or else what the extension says. */
export function typeOf(uri: string, type: string | undefined): string {
  return uri.endsWith(SKILL_MD) ? 'text/markdown' : (type ?? mimeType(uri))
}

/** A path relative to a folder, as it is without encoding. */
function decodePath(root: string, uri: string): string {
  return decodeURIComponent(uri.slice(root.length + 1))
}

function isBelow(uri: unknown, root: string): uri is string {
  return (
    typeof uri === 'string' && uri.startsWith(`${root}/`) && canonicalUri(uri) === uri && !hasOddName(uri)
  )
}

function isSize(size: unknown): boolean {
  return Number.isSafeInteger(size) && (size as number) >= 0
}

export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
