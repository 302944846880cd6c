import type { EmitOptions } from '../emit.ts'
import { groupId } from '../emit.ts'
import { assignSlots, groupsOf, slotName } from '../emit/groups.ts'
import { packSkills } from '../emit/pack.ts'
import type { Row } from '../emit/rows.ts'
import { groupedRows, rowsValue } from '../emit/rows.ts'
import type { Encoding } from '../emit/values.ts'
import { contentValue } from '../emit/values.ts'
import type { CompiledSkill } from '../types.ts'
import { stringsOf } from './strings.ts'

/** A string that has to be in the chunk that holds a module, exactly. */
export interface Expected {
  readonly value: string
  /** What it is, for people: `templates/mail.md of the skill "refunds"`. */
  readonly what: string
  /** For an entry, the name of the property that it is the value of. */
  readonly uri?: string
  /**
   * Whether it is a text of a template. That stands in code, which a bundler may write in another way: it
   * may be part of a longer string, and gone where the code is.
   */
  readonly isTemplate?: true
}

/** What a module of a set brings into an output. */
export interface ExpectedModule {
  /** By export, those of contents; the others as `default`. */
  readonly strings: ReadonlyMap<string, readonly Expected[]>
  /** Contents, which an index imports as a namespace; undefined for an index. */
  readonly isContents?: boolean
  /** A pack, which has to be among the assets. */
  readonly asset?: { readonly what: string; readonly bytes: Uint8Array }
}

/** What each module that `emitModules` writes brings along, by its id. */
export function expectedModules(
  skills: readonly CompiledSkill[],
  { id = 'virtual:skills', content, encoding = 'utf8', templates = [] }: Omit<EmitOptions, 'asset'>,
): ReadonlyMap<string, () => ExpectedModule> {
  const all = [...skills, ...templates]
  const slots = assignSlots(all)
  const modules = new Map<string, () => ExpectedModule>()
  const add = (id: string, skills: readonly CompiledSkill[]): unknown =>
    modules.set(id, () => {
      if (content !== 'pack') {
        const { rows } = groupedRows(skills, slots)
        return { strings: new Map([['default', rowStrings(skills, rows, encoding)]]) }
      }
      const { rows, bytes } = packSkills(skills)
      const asset = { what: `The pack of ${skills.length} skills`, bytes }
      return { strings: new Map([['default', rowStrings(skills, rows, encoding)]]), asset }
    })
  add(id, all)
  for (const skill of all) add(`${id}/${skill.path}`, [skill])
  if (content === 'pack') return modules
  const names = fileNames(all)
  for (const group of groupsOf(slots))
    modules.set(groupId(id, group), () => ({
      isContents: true,
      strings: new Map(
        group.files.map((file, index) => [
          slotName(file, index),
          file.template === undefined
            ? [{ value: contentValue(file, encoding), what: names.get(file.digest)! }]
            : templateStrings(file.template, names.get(file.digest)!),
        ]),
      ),
    }))
  return modules
}

function rowStrings(
  skills: readonly CompiledSkill[],
  rows: readonly Row[],
  encoding: Encoding,
): readonly Expected[] {
  if (encoding === 'base64') return [{ value: rowsValue(rows), what: 'The entries of all skills' }]
  return rows.map(({ uri, json }, index) => {
    const { path, files } = skills[index]!
    const what = `The entry of the skill "${path}", its frontmatter and file table`
    // Templates stand under their path, which is theirs alone to say.
    const isRendered = files.some((file) => file.template !== undefined)
    return { value: json, what, ...(!isRendered && { uri }) }
  })
}

/** Prose. What is shorter, or one word, may as well be of the code. */
const PROSE = /^(?=[^]*\s)[^]{12}/

/** The texts between the tags of a template, whatever engine has compiled it. */
function templateStrings(template: string, what: string): readonly Expected[] {
  return stringsOf(`export default ${template}`, what)
    .filter(({ value }) => PROSE.test(value))
    .map(({ value }) => ({ value, what, isTemplate: true }))
}

/** A name for every content, by digest: its first file. */
function fileNames(skills: readonly CompiledSkill[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const skill of skills)
    for (const { path, digest } of skill.files)
      if (!names.has(digest)) names.set(digest, `${path} of the skill "${skill.path}"`)
  return names
}
