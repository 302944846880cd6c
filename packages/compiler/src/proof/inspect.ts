import { hash } from 'node:crypto'
import { gunzipSync } from 'fflate'
import type { Json, JsonObject } from '@embed-skills/runtime'
import { PACK_MAGIC } from '../emit/pack.ts'
import { readManifest } from '../frontmatter/parse.ts'
import type { FoundString } from './strings.ts'
import { stringsOf } from './strings.ts'

/** A file of a bundle. */
export interface BundleFile {
  /** As messages name it. */
  readonly name: string
  readonly bytes: Uint8Array
}

export interface Inspection {
  /** How many skills' entries there are, and how many distinct files they list. */
  readonly skills: number
  readonly files: number
  /** The digest of each file of each skill, as the entries have them. */
  readonly entries: readonly InspectedEntry[]
  readonly problems: readonly BundleProblem[]
}

/** What an entry in a bundle lists. */
export interface InspectedEntry {
  /** The URI of its `SKILL.md`. */
  readonly uri: string
  /** The skill path: `acme/refunds`. */
  readonly path: string
  /** `sha256:` and 64 hexadecimal digits, by the path below the skill's folder. */
  readonly files: Readonly<Record<string, string>>
}

/** What does not fit together. */
export interface BundleProblem {
  /** The URI of the skill. */
  readonly skill: string
  /** The path below the skill's folder, where one file is concerned. */
  readonly file?: string
  readonly field: 'entry' | 'digest' | 'size' | 'frontmatter' | 'lock'
  readonly message: string
}

/** An entry as it stands in a bundle. */
interface Entry {
  readonly uri: string
  readonly bundleFile: string
  /** `[frontmatter, ...rows]`; `undefined` if it is no such thing any more. */
  readonly row: readonly [JsonObject, ...Json[][]] | undefined
}

/**
 * Compares the entries in a bundle with the contents in it: every file that an entry lists has to be
 * there with its digest, and its frontmatter has to be that of its `SKILL.md`. Needs nothing but the
 * bundle: no folders, no options of the build.
 *
 * @param files Everything that was written: chunks (`.js`, `.mjs`, `.cjs`) and packs (`.bin`).
 * @throws SyntaxError if a chunk is no JavaScript.
 */
export function inspectBundle(files: readonly BundleFile[]): Inspection {
  const contents = new Map<string, Uint8Array>()
  const hold = (bytes: Uint8Array): unknown => contents.set(hash('sha256', bytes), bytes)
  const entries: Entry[] = []
  const packs = files.map(({ bytes }) => bytes).filter(isPack)
  for (const { name, bytes } of files) {
    if (!/\.[cm]?js$/.test(name)) continue
    for (const found of stringsOf(Buffer.from(bytes).toString(), name)) {
      entries.push(...entriesIn(found, name))
      hold(Buffer.from(found.value))
      const parsed = found.value.startsWith('"') ? parse(found.value) : undefined
      if (typeof parsed === 'string') hold(Buffer.from(parsed))
      const decoded = fromBase64(found.value)
      if (decoded) hold(decoded)
    }
  }
  const digests = new Set<string>()
  const problems = entries.flatMap((entry) => problemsOf(entry, contents, packs, digests))
  const distinct = new Map(problems.map((problem) => [JSON.stringify(problem), problem]))
  return {
    skills: entries.length,
    files: digests.size,
    entries: entries.flatMap(({ uri, row }) => (row ? [listed(uri, row)] : [])),
    problems: [...distinct.values()],
  }
}

const SKILL_URI = /^skill:\/\/.+\/SKILL\.md$/

/** The entry that a string is, or all entries of a set that is written in base64. */
function entriesIn({ key, value }: FoundString, bundleFile: string): Entry[] {
  if (key !== undefined && SKILL_URI.test(key)) return [{ uri: key, bundleFile, row: rowOf(value) }]
  // `{"skill://` in base64.
  if (!value.startsWith('eyJza2lsbDovL')) return []
  const rows = parse(Buffer.from(value, 'base64').toString())
  if (typeof rows !== 'object' || rows === null)
    return [{ uri: 'the entries in base64', bundleFile, row: undefined }]
  return Object.entries(rows).map(([uri, row]) => ({ uri, bundleFile, row: rowOf(String(row)) }))
}

function rowOf(text: string): Entry['row'] {
  const row = parse(text)
  const isRow =
    Array.isArray(row) && typeof row[0] === 'object' && row.length > 1 && row.slice(1).every(Array.isArray)
  return isRow ? (row as unknown as Entry['row']) : undefined
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

function problemsOf(
  { uri, bundleFile, row }: Entry,
  contents: ReadonlyMap<string, Uint8Array>,
  packs: readonly Uint8Array[],
  digests: Set<string>,
): BundleProblem[] {
  if (!row) return [{ skill: uri, field: 'entry', message: `its entry in ${bundleFile} is damaged` }]
  const [frontmatter, ...rows] = row
  const problems: BundleProblem[] = []
  let main: Uint8Array | undefined
  for (const [below, , size, digest, , slot] of rows) {
    if (digest === undefined) continue
    const bytes = contents.get(String(digest)) ?? packed(packs, String(slot), String(digest))
    digests.add(String(digest))
    if (below === 'SKILL.md') main = bytes
    const at = { skill: uri, file: decode(String(below)) }
    if (!bytes) problems.push({ ...at, field: 'digest', message: 'no content in the bundle has its digest' })
    else if (bytes.length !== size)
      problems.push({ ...at, field: 'size', message: `its entry says ${size} bytes, it has ${bytes.length}` })
  }
  // The digest vouches for the SKILL.md, and that for what the entry says of it.
  if (main && !isSame(readManifest(main).frontmatter, frontmatter))
    problems.push({
      skill: uri,
      field: 'frontmatter',
      message: `the frontmatter of its entry in ${bundleFile} is not that of its SKILL.md`,
    })
  return problems
}

function listed(uri: string, [, ...rows]: NonNullable<Entry['row']>): InspectedEntry {
  const files = rows.flatMap(([below, , , digest]) =>
    digest === undefined ? [] : [[decode(String(below)), `sha256:${String(digest)}`] as const],
  )
  return { uri, path: skillPath(uri), files: Object.fromEntries(files) }
}

function skillPath(uri: string): string {
  return decode(uri.slice('skill://'.length, -'/SKILL.md'.length))
}

/** A spelling that is none any more stays as it is. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Order counts: an entry is written in the order of its file. */
function isSame(a: JsonObject | undefined, b: JsonObject): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function packed(packs: readonly Uint8Array[], slot: string, digest: string): Uint8Array | undefined {
  const [, start, length, zipped] = /^[tb](\d+)\+(\d+)(z?)$/.exec(slot) ?? []
  if (start === undefined) return undefined
  for (const pack of packs) {
    const part = pack.subarray(Number(start), Number(start) + Number(length))
    const bytes = zipped ? inflate(part) : part
    if (bytes && hash('sha256', bytes) === digest) return bytes
  }
  return undefined
}

function inflate(part: Uint8Array): Uint8Array | undefined {
  try {
    return gunzipSync(part)
  } catch {
    return undefined
  }
}

function isPack(bytes: Uint8Array): boolean {
  return PACK_MAGIC.equals(bytes.subarray(0, PACK_MAGIC.length))
}

function fromBase64(value: string): Uint8Array | undefined {
  if (value.length % 4 || !/^[\w+/]+={0,2}$/.test(value)) return undefined
  return Buffer.from(value, 'base64')
}
