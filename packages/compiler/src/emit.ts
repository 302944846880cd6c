import type { CompiledSkill } from './types.ts'
import { assignSlots, groupsOf, slotName } from './emit/groups.ts'
import type { Group, Slot } from './emit/groups.ts'
import { packCode, packSkills } from './emit/pack.ts'
import { groupedRows, rowsCode, templatesCode } from './emit/rows.ts'
import { DECODE, loadCode, setCode } from './emit/set.ts'
import type { Encoding } from './emit/values.ts'
import { contentExpression } from './emit/values.ts'

/**
 * How contents travel. `inline`: in the bundle that imports the set. `chunks`: one dynamic import a
 * group of files, so that a skill is loaded when it is first read. `pack`: one binary file that is
 * imported as bytes, for Cloudflare Workers.
 */
export type Content = 'inline' | 'chunks' | 'pack'

export interface EmitOptions {
  /** The id of the whole set; all other ids begin with it. `virtual:skills` by default. */
  readonly id?: string
  readonly content: Content
  /** How strings are written: `utf8` by default. */
  readonly encoding?: Encoding
  /**
   * Skills that hold templates, by URI, as `compile` gives them: for the app to render. They are code, which
   * neither a pack nor base64 can hold.
   */
  readonly templates?: readonly CompiledSkill[]
  /**
   * Puts a pack where the bundler can import it, and gives the specifier for that: a file's absolute
   * path. Called when a module is written; needed for `pack` alone.
   */
  readonly asset?: (name: string, bytes: Uint8Array) => string
}

/** The source of each module by its id, written when it is asked for. */
export type Modules = ReadonlyMap<string, () => string>

/** What the modules of a set have in common. */
interface Shared extends Required<Omit<EmitOptions, 'asset' | 'templates'>>, Pick<EmitOptions, 'asset'> {
  readonly slots: ReadonlyMap<string, Slot>
}

/**
 * Writes skills as modules:
 *
 * - `<id>`: all skills
 * - `<id>/<skill path>`: one skill, in the same shape
 * - `<id>/~/<first holder>`: contents. Where several skills hold them, a hash of who follows
 *
 * Modules import nothing but each other, and the pack if there is one. What they hold depends on the
 * skills alone, and one more skill changes no other id. In `pack`, a skill that is imported alone has
 * a pack of its own.
 *
 * @param skills By URI, as `compile` gives them.
 * @throws TypeError for `pack` without `asset`, when a module is written; for templates in `pack` or `base64`.
 * @example
 * const modules = emitModules(skills, { content: 'chunks' })
 * modules.get('virtual:skills')!() // the source of the whole set's module
 */
export function emitModules(
  skills: readonly CompiledSkill[],
  { id = 'virtual:skills', encoding = 'utf8', templates = [], ...options }: EmitOptions,
): Modules {
  refuseTemplates(templates, options.content, encoding)
  const slots = assignSlots([...skills, ...templates])
  const shared = { ...options, id, encoding, slots }
  const modules = new Map<string, () => string>()
  const add = (
    id: string,
    skills: readonly CompiledSkill[],
    templates: readonly CompiledSkill[] = [],
  ): unknown => modules.set(id, () => setModule(skills, templates, shared))
  add(id, skills, templates)
  for (const skill of skills) add(`${id}/${skill.path}`, [skill])
  for (const skill of templates) add(`${id}/${skill.path}`, [], [skill])
  if (options.content !== 'pack')
    for (const group of groupsOf(slots))
      modules.set(groupId(id, group), () => contentsModule(group, encoding))
  return modules
}

/** @throws TypeError if there are templates where no code can be. */
export function refuseTemplates(
  templates: readonly CompiledSkill[],
  content: Content,
  encoding: Encoding,
): void {
  const [first] = templates
  if (!first || (content !== 'pack' && encoding !== 'base64')) return
  const asked = content === 'pack' ? 'content "pack"' : 'encoding "base64"'
  const remedy = content === 'pack' ? 'content "inline" or "chunks"' : 'encoding "utf8"'
  throw new TypeError(
    `embed-skills: the templates of the skill "${first.path}" are code, which ${asked} cannot hold. Templates need ${remedy}`,
  )
}

/** The id of the module that holds the contents of a group. */
export function groupId(id: string, { name }: Group): string {
  return `${id}/~/${name}`
}

function setModule(
  skills: readonly CompiledSkill[],
  templates: readonly CompiledSkill[],
  shared: Shared,
): string {
  const { id, content, encoding, slots } = shared
  if (content === 'pack') return packModule(skills, shared)
  const { rows, groups } = groupedRows([...skills, ...templates], slots)
  const ids = groups.map((group) => JSON.stringify(groupId(id, group)))
  const rendered = templatesCode(rows.slice(skills.length))
  const isInline = content === 'inline'
  const isEncoded = encoding === 'base64'
  return `${isInline ? ids.map((id, index) => `import * as g${index} from ${id}\n`).join('') : ''}${isEncoded ? DECODE : ''}const groups = [
${ids.map((id, index) => (isInline ? `  g${index},\n` : `  () => import(${id}),\n`)).join('')}]
export default ${setCode(rowsCode(rows.slice(0, skills.length), encoding), loadCode(isInline, isEncoded), rendered)}
`
}

function packModule(skills: readonly CompiledSkill[], { encoding, asset }: Shared): string {
  if (!asset) throw new TypeError('To emit `pack`, say where packs are put: `asset`')
  const pack = packSkills(skills)
  const { head, set } = packCode(pack, encoding)
  return `import pack from ${JSON.stringify(asset(pack.name, pack.bytes))}\n${head}export default ${set}\n`
}

function contentsModule({ files }: Group, encoding: Encoding): string {
  return files
    .map((file, index) => `export const ${slotName(file, index)} = ${contentExpression(file, encoding)}\n`)
    .join('')
}
