import type { Frontmatter, Resource, ResourceContents, Skill, SkillResource } from './wire.ts'
import type { SetTypes } from './register.ts'
import type { MaybePromise, Page, SkillSource } from './source.ts'
import { DIRECTORY_MIME_TYPE, skillResource } from './wire.ts'
import { byUri, ROOT, SKILL_MD } from './uri.ts'

/** The format of compiled sets that this runtime reads. */
export const FORMAT = 1

/** The contents of a group of files, by slot: `t0` and on hold text, `b0` and on the base64 of bytes. */
export type Contents = Readonly<Record<string, MaybePromise<string>>>

/**
 * What the compiler makes of skill folders: data, and a way to load contents.
 *
 * Nothing of it is parsed until somebody asks. `skills` has the URI of each `SKILL.md`, in order, and
 * one string of ASCII JSON for it: `[frontmatter, ...files]`. A file is
 * `[uri below the skill, mimeType, size, sha256 in hex, group, slot]`, and `SKILL.md` is the first;
 * a folder that holds nothing is `[uri below the skill, 'inode/directory']`.
 */
export interface CompiledSkills<T extends SetTypes = SetTypes> {
  /** Never there. It carries the names, paths and frontmatter that `getSkill` and `readFile` complete. */
  readonly '~types'?: T
  readonly format: number
  readonly skills: Readonly<Record<string, string>>
  readonly load: (group: number) => MaybePromise<Contents>
  /**
   * Skills that hold templates, by path, in the same form. Slots `f0` and on are functions of their data;
   * such a file's size and digest are not known.
   */
  readonly templates?: Readonly<Record<string, string>>
}

/** A file as a set holds it. */
export type Row = [path: string, mimeType: string, size: number, sha256: string, group: number, slot: string]

/** With what was answered, which is not in the set. */
type FileRow = [...Row, answer?: ResourceContents]

interface ParsedSkill {
  readonly entry: Skill
  /** By URI, empty folders too. */
  readonly rows: ReadonlyMap<string, FileRow>
}

/** A source whose answers to `list` and `get` are at hand. */
export interface CompiledSource extends SkillSource {
  list(after: string, limit: number): Page<Skill>
  get(uri: string): Skill | undefined
}

// Kept as they were answered: so many pages, less for a long cursor, which a client may have made up; and every
// file of fewer bytes.
const MANY = 999
const SMALL = 1e4

// Skills lie no deeper (rule `prefix` of the compiler). Of a URI without end every folder would be looked up, in the square of its length.
const DEEPEST = 99

export function isCompiled(skills: object): skills is CompiledSkills {
  return 'load' in skills
}

/**
 * Answers from a compiled set.
 *
 * @throws TypeError if the set has a format that this runtime does not know.
 */
export function compiledSource({ format, skills, load }: CompiledSkills): CompiledSource {
  if (format !== FORMAT) throw new TypeError(`Skill format ${format} needs a newer runtime`)
  const parsed: Record<string, ParsedSkill> = {}
  const loaded: Contents[] = []
  /** By limit and cursor. */
  const pages = new Map<string, Page<Skill>>()

  function find(uri: string): ParsedSkill | undefined {
    // No JSON is empty.
    return (skills[uri] && (parsed[uri] ??= parse(uri, skills[uri]))) as ParsedSkill | undefined
  }

  /** The outermost skill that holds `uri`. A nested skill's files are its files too (protocol E7). */
  function holderOf(uri: string): ParsedSkill | undefined {
    let folder = 'skill:/'
    for (const segment of uri.slice(ROOT.length).split('/', DEEPEST)) {
      folder += '/' + segment
      const holder = find(folder + SKILL_MD)
      if (holder) return holder
    }
    return undefined
  }

  return {
    list(after, limit) {
      const key = limit + after
      const known = pages.get(key)
      if (known) return known
      const rest = Object.keys(skills).filter((uri) => uri > after)
      const items = Object.freeze(rest.slice(0, limit).map((uri) => find(uri)!.entry))
      const page = { items, more: limit in rest }
      if (pages.size + key.length < MANY) pages.set(key, page)
      return page
    },
    get: (uri) => find(uri)?.entry,
    async read(uri) {
      const row = holderOf(uri)?.rows.get(uri)
      const [, mimeType, size, , group, slot, known] = row ?? []
      if (known || !slot) return known
      // To import a module again is slow, even one that is there.
      const contents = (loaded[group!] ??= await load(group!))
      const value = (await contents[slot])!
      const kind = slot[0] === 't' ? 'text' : 'blob'
      const answer = { uri, mimeType: mimeType!, [kind]: value } as unknown as ResourceContents
      if (size! < SMALL) row![6] = Object.freeze(answer)
      return answer
    },
    readDirectory(uri) {
      const holder = holderOf(uri)
      return holder && children(holder, uri + '/', find)
    },
  }
}

function parse(uri: string, json: string): ParsedSkill {
  const [frontmatter, ...rows] = JSON.parse(json) as [Frontmatter, ...FileRow[]]
  const root = uri.slice(0, 1 - SKILL_MD.length)
  const resources: SkillResource[] = []
  const known = new Map<string, FileRow>()
  for (const row of rows) {
    const [path, , size, sha256] = row
    known.set(root + path, row)
    if (sha256) resources.push({ uri: root + path, digest: 'sha256:' + sha256, size })
  }
  return { entry: Object.freeze({ uri, frontmatter, resources }), rows: known }
}

/** The files and folders right below `directory`, which ends in `/`; `undefined` if it is no folder. */
function children(
  { rows }: ParsedSkill,
  directory: string,
  find: (uri: string) => ParsedSkill | undefined,
): Resource[] | undefined {
  const found = new Map<string, Resource>()
  for (const below of rows.keys()) {
    if (!below.startsWith(directory)) continue
    const [segment] = below.slice(directory.length).split('/')
    const uri = directory + segment!
    const [, mimeType = DIRECTORY_MIME_TYPE, size] = rows.get(uri) ?? []
    const skill = find(uri)
    found.set(
      uri,
      skill ? skillResource(skill.entry) : { uri, name: decodeURIComponent(segment!), mimeType, size },
    )
  }
  const isFolder = found.size || rows.get(directory.slice(0, -1))?.[1] === DIRECTORY_MIME_TYPE
  return isFolder ? [...found.values()].sort(byUri) : undefined
}
