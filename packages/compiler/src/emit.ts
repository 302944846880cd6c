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
  /** Skills that hold templates, by URI, as `compile` gives them: for the app to render. */
  readonly templates?: readonly CompiledSkill[]
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
  { id = 'virtual:skills', content, templates = [] }: EmitOptions,
): Modules {
  const slots = assignSlots([...skills, ...templates], id)
  const modules = new Map<string, () => string>()
  const add = (
    id: string,
    skills: readonly CompiledSkill[],
    templates: readonly CompiledSkill[] = [],
  ): unknown => modules.set(id, () => setModule(skills, templates, slots, content))
  add(id, skills, templates)
  for (const skill of skills) add(`${id}/${skill.path}`, [skill])
  for (const skill of templates) add(`${id}/${skill.path}`, [], [skill])
  for (const { group } of slots.values()) modules.set(group.id, () => contentsModule(group))
  return modules
}

/** The place of every distinct content, by digest. */
function assignSlots(skills: readonly CompiledSkill[], id: string): Map<string, Slot> {
  const holders = new Map<string, { file: SkillFile; paths: Set<string> }>()
  for (const { path, files } of skills)
    for (const file of files) {
      const key = slotKey(file)
      const known = holders.get(key)
      if (known) known.paths.add(path)
      else holders.set(key, { file, paths: new Set([path]) })
    }

  const groups = new Map<string, Group>()
  const slots = new Map<string, Slot>()
  for (const { file, paths } of holders.values()) {
    const groupId = `${id}/~/${groupName([...paths])}`
    const group = groups.get(groupId) ?? { id: groupId, files: [] }
    groups.set(groupId, group)
    slots.set(slotKey(file), { group, name: `${slotLetter(file)}${group.files.length}` })
    group.files.push(file)
  }
  return slots
}

/** What makes two files the same content. A template is what it compiles to. */
function slotKey({ template, digest }: SkillFile): string {
  return template ?? digest
}

function slotLetter({ template, kind }: SkillFile): string {
  return template === undefined ? (kind === 'text' ? 't' : 'b') : 'f'
}

function groupName([first, ...others]: string[]): string {
  return others.length ? `${first}+${hash('sha256', [first, ...others].join('\n')).slice(0, 8)}` : first!
}

function setModule(
  skills: readonly CompiledSkill[],
  templates: readonly CompiledSkill[],
  slots: ReadonlyMap<string, Slot>,
  content: Content,
): string {
  const groups = new Map<Group, number>()
  function rowsOf({ uri, frontmatter, files, emptyDirectories }: CompiledSkill): string {
    const root = uri.slice(0, uri.lastIndexOf('/'))
    const below = (uri: string): string => uri.slice(root.length + 1)
    const rows: unknown[][] = files.map((file) => {
      const { uri, mimeType, size, digest, template } = file
      const { group, name } = slots.get(slotKey(file))!
      const index = groups.get(group) ?? groups.size
      groups.set(group, index)
      // What a template holds is known when it is rendered.
      const fixed = template === undefined ? [size, digest.slice('sha256:'.length)] : [0, '']
      return [below(uri), mimeType, ...fixed, index, name]
    })
    for (const path of emptyDirectories) {
      const folder = path.split('/').reduce((parent, name) => childUri(parent, name)!, root)
      rows.push([below(folder), 'inode/directory'])
    }
    return singleQuoted(asciiJson([frontmatter, ...rows]))
  }
  const entries = skills.map((skill) => `    ${JSON.stringify(skill.uri)}: ${rowsOf(skill)},\n`)
  const rendered = templates.map((skill) => `    ${JSON.stringify(skill.path)}: ${rowsOf(skill)},\n`)
  const ids = [...groups.keys()].map(({ id }) => JSON.stringify(id))
  const isInline = content === 'inline'
  return `${isInline ? ids.map((id, index) => `import * as g${index} from ${id}\n`).join('') : ''}const groups = [
${ids.map((id, index) => (isInline ? `  g${index},\n` : `  () => import(${id}),\n`)).join('')}]
export default {
  format: ${FORMAT},
  skills: {
${entries.join('')}  },
${rendered.length ? `  templates: {\n${rendered.join('')}  },\n` : ''}  load: (group) => groups[group]${isInline ? '' : '()'},
}
`
}

function contentsModule({ files }: Group): string {
  return files
    .map(({ kind, bytes, template }, index) =>
      template !== undefined
        ? `export const f${index} = ${template}\n`
        : kind === 'text'
          ? `export const t${index} = ${textExpression(decoder.decode(bytes))}\n`
          : `export const b${index} = "${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')}"\n`,
    )
    .join('')
}
