import { hash } from 'node:crypto'
import type { CompiledSkill, SkillFile } from './types.ts'
import { asciiJson, singleQuoted, textExpression } from './literal.ts'
import { childUri } from './read/uri.ts'

/**
 * How contents travel. `inline`: in the bundle that imports the set. `chunks`: one dynamic import a
 * group of files, so that a skill is loaded when it is first read.
 */
export type Content = 'inline' | 'chunks'

export interface EmitOptions {
  /** The id of the whole set; all other ids begin with it. `virtual:skills` by default. */
  readonly id?: string
  readonly content: Content
}

/** The source of each module by its id, written when it is asked for. */
export type Modules = ReadonlyMap<string, () => string>

// A BOM is three of the file's bytes, so it stays.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The format of what is written here; a runtime that does not know it says so. */
const FORMAT = 1

/**
 * Distinct contents that are held by exactly the same skills. Equal bytes are written once, and a
 * skill that is imported alone brings its own bytes and no other's.
 */
interface Group {
  readonly id: string
  readonly files: SkillFile[]
}

interface Slot {
  readonly group: Group
  /** An export of the group's module: `t…` holds text, `b…` the base64 of bytes. */
  readonly name: string
}

/**
 * Writes skills as modules:
 *
 * - `<id>`: all skills
 * - `<id>/<skill path>`: one skill, in the same shape
 * - `<id>/~/<first holder>`: contents. Where several skills hold them, a hash of who follows
 *
 * Modules import nothing but each other. What they hold depends on the skills alone, and one more
 * skill changes no other id.
 *
 * @param skills By URI, as `compile` gives them.
 * @example
 * const modules = emitModules(skills, { content: 'chunks' })
 * modules.get('virtual:skills')!() // the source of the whole set's module
 */
export function emitModules(
  skills: readonly CompiledSkill[],
  { id = 'virtual:skills', content }: EmitOptions,
): Modules {
  const slots = assignSlots(skills, id)
  const modules = new Map<string, () => string>()
  const add = (id: string, skills: readonly CompiledSkill[]): unknown =>
    modules.set(id, () => setModule(skills, slots, content))
  add(id, skills)
  for (const skill of skills) add(`${id}/${skill.path}`, [skill])
  for (const { group } of slots.values()) modules.set(group.id, () => contentsModule(group))
  return modules
}

/** The place of every distinct content, by digest. */
function assignSlots(skills: readonly CompiledSkill[], id: string): Map<string, Slot> {
  const holders = new Map<string, { file: SkillFile; paths: Set<string> }>()
  for (const { path, files } of skills)
    for (const file of files) {
      const known = holders.get(file.digest)
      if (known) known.paths.add(path)
      else holders.set(file.digest, { file, paths: new Set([path]) })
    }

  const groups = new Map<string, Group>()
  const slots = new Map<string, Slot>()
  for (const { file, paths } of holders.values()) {
    const groupId = `${id}/~/${groupName([...paths])}`
    const group = groups.get(groupId) ?? { id: groupId, files: [] }
    groups.set(groupId, group)
    slots.set(file.digest, { group, name: `${file.kind === 'text' ? 't' : 'b'}${group.files.length}` })
    group.files.push(file)
  }
  return slots
}

function groupName([first, ...others]: string[]): string {
  return others.length ? `${first}+${hash('sha256', [first, ...others].join('\n')).slice(0, 8)}` : first!
}

function setModule(
  skills: readonly CompiledSkill[],
  slots: ReadonlyMap<string, Slot>,
  content: Content,
): string {
  const groups = new Map<Group, number>()
  const entries: string[] = []
  for (const { uri, frontmatter, files, emptyDirectories } of skills) {
    const root = uri.slice(0, uri.lastIndexOf('/'))
    const below = (uri: string): string => uri.slice(root.length + 1)
    const rows: unknown[][] = files.map(({ uri, mimeType, size, digest }) => {
      const { group, name } = slots.get(digest)!
      const index = groups.get(group) ?? groups.size
      groups.set(group, index)
      return [below(uri), mimeType, size, digest.slice('sha256:'.length), index, name]
    })
    for (const path of emptyDirectories) {
      const folder = path.split('/').reduce((parent, name) => childUri(parent, name)!, root)
      rows.push([below(folder), 'inode/directory'])
    }
    entries.push(`    ${JSON.stringify(uri)}: ${singleQuoted(asciiJson([frontmatter, ...rows]))},\n`)
  }
  const ids = [...groups.keys()].map(({ id }) => JSON.stringify(id))
  const isInline = content === 'inline'
  return `${isInline ? ids.map((id, index) => `import * as g${index} from ${id}\n`).join('') : ''}const groups = [
${ids.map((id, index) => (isInline ? `  g${index},\n` : `  () => import(${id}),\n`)).join('')}]
export default {
  format: ${FORMAT},
  skills: {
${entries.join('')}  },
  load: (group) => groups[group]${isInline ? '' : '()'},
}
`
}

function contentsModule({ files }: Group): string {
  return files
    .map(
      (file, index) => `export const ${file.kind === 'text' ? 't' : 'b'}${index} = ${expressionOf(file)}\n`,
    )
    .join('')
}

const expressions = new WeakMap<Uint8Array, string>()

/** The expression of a content, kept as long as the bytes are: a watch mode writes the same ones again and again. */
function expressionOf({ kind, bytes }: SkillFile): string {
  const known = expressions.get(bytes)
  if (known !== undefined) return known
  const expression =
    kind === 'text'
      ? textExpression(decoder.decode(bytes))
      : `"${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')}"`
  expressions.set(bytes, expression)
  return expression
}
