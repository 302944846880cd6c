import type { CompiledSkill, SkillFile } from '../types.ts'
import { asciiJson, singleQuoted } from '../literal.ts'
import { childUri } from '../read/uri.ts'
import type { Group, Slot } from './groups.ts'
import type { Encoding } from './values.ts'
import { toBase64 } from './values.ts'

/** One skill as the compiled format holds it. */
export interface Row {
  readonly uri: string
  /** `[frontmatter, ...files]` in ASCII JSON. */
  readonly json: string
}

/** Where a file's contents are: the group's number, and the slot in it. */
export type Place = readonly [group: number, slot: string]

/** The rows of a set, its contents being where `place` says. */
export function rowsOf(skills: readonly CompiledSkill[], place: (file: SkillFile) => Place): readonly Row[] {
  return skills.map(({ uri, frontmatter, files, emptyDirectories }) => {
    const root = uri.slice(0, uri.lastIndexOf('/'))
    const below = (uri: string): string => uri.slice(root.length + 1)
    const rows: unknown[] = files.map((file) => {
      const { uri, mimeType, size, digest } = file
      return [below(uri), mimeType, size, digest.slice('sha256:'.length), ...place(file)]
    })
    for (const path of emptyDirectories) {
      const folder = path.split('/').reduce((parent, name) => childUri(parent, name)!, root)
      rows.push([below(folder), 'inode/directory'])
    }
    return { uri, json: asciiJson([frontmatter, ...rows]) }
  })
}

/** The rows of a set whose contents are in groups, and those groups in the order of their numbers. */
export function groupedRows(
  skills: readonly CompiledSkill[],
  slots: ReadonlyMap<string, Slot>,
): { readonly rows: readonly Row[]; readonly groups: readonly Group[] } {
  const groups = new Map<Group, number>()
  const rows = rowsOf(skills, ({ digest }) => {
    const { group, name } = slots.get(digest)!
    const index = groups.get(group) ?? groups.size
    groups.set(group, index)
    return [index, name]
  })
  return { rows, groups: [...groups.keys()] }
}

/** An expression that gives the rows by URI. */
export function rowsCode(rows: readonly Row[], encoding: Encoding): string {
  if (encoding === 'base64') return `JSON.parse(atob("${rowsValue(rows)}"))`
  const lines = rows.map(({ uri, json }) => `    ${JSON.stringify(uri)}: ${singleQuoted(json)},\n`)
  return `{\n${lines.join('')}  }`
}

/** All rows as the one string that stands for them in base64. */
export function rowsValue(rows: readonly Row[]): string {
  const byUri = Object.fromEntries(rows.map(({ uri, json }) => [uri, json]))
  return toBase64(Buffer.from(asciiJson(byUri)))
}
