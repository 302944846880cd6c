import type { CompiledSkill, SkillFile } from '../types.ts'
import { asciiJson, singleQuoted } from '../literal.ts'
import { childUri } from '../read/uri.ts'
import { slotKey } from './groups.ts'
import type { Group, Slot } from './groups.ts'
import type { Encoding } from './values.ts'
import { toBase64 } from './values.ts'

/** One skill as the compiled format holds it. */
export interface Row {
  readonly path: string
  readonly uri: string
  /** `[frontmatter, ...files]` in ASCII JSON. */
  readonly json: string
}

/** Where a file's contents are: the group's number, and the slot in it. */
export type Place = readonly [group: number, slot: string]

/** The rows of a set, its contents being where `place` says. */
export function rowsOf(skills: readonly CompiledSkill[], place: (file: SkillFile) => Place): readonly Row[] {
  return skills.map(({ path, uri, frontmatter, files, emptyDirectories }) => {
    const root = uri.slice(0, uri.lastIndexOf('/'))
    const below = (uri: string): string => uri.slice(root.length + 1)
    const rows: unknown[] = files.map((file) => {
      const { uri, mimeType, size, digest, template } = file
      // What a template holds is known when it is rendered.
      const known = template === undefined ? [size, digest.slice('sha256:'.length)] : [0, '']
      return [below(uri), mimeType, ...known, ...place(file)]
    })
    for (const path of emptyDirectories) {
      const folder = path.split('/').reduce((parent, name) => childUri(parent, name)!, root)
      rows.push([below(folder), 'inode/directory'])
    }
    return { path, uri, json: asciiJson([frontmatter, ...rows]) }
  })
}

/** The rows of a set whose contents are in groups, and those groups in the order of their numbers. */
export function groupedRows(
  skills: readonly CompiledSkill[],
  slots: ReadonlyMap<string, Slot>,
): { readonly rows: readonly Row[]; readonly groups: readonly Group[] } {
  const groups = new Map<Group, number>()
  const rows = rowsOf(skills, (file) => {
    const { group, name } = slots.get(slotKey(file))!
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

/** The member of a set that holds the rows of templates, by skill path. */
export function templatesCode(rows: readonly Row[]): string {
  if (rows.length === 0) return ''
  const lines = rows.map(({ path, json }) => `    ${JSON.stringify(path)}: ${singleQuoted(json)},\n`)
  return `  templates: {\n${lines.join('')}  },\n`
}

/** All rows as the one string that stands for them in base64. */
export function rowsValue(rows: readonly Row[]): string {
  const byUri = Object.fromEntries(rows.map(({ uri, json }) => [uri, json]))
  return toBase64(Buffer.from(asciiJson(byUri)))
}
