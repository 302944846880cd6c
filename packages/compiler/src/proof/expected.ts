import type { EmitOptions } from '../emit.ts'
import { groupId } from '../emit.ts'
import { assignSlots, groupsOf, slotName } from '../emit/groups.ts'
import { packSkills } from '../emit/pack.ts'
import type { Row } from '../emit/rows.ts'
import { groupedRows, rowsValue } from '../emit/rows.ts'
import type { Encoding } from '../emit/values.ts'
import { contentValue } from '../emit/values.ts'
import type { CompiledSkill, SkillFile } from '../types.ts'

/** A string that has to be in the chunk that holds a module, exactly. */
export interface Expected {
  readonly value: string
  /** What it is, for people: `templates/mail.md of the skill "refunds"`. */
  readonly what: string
}

/** What a module of a set brings into an output. */
export interface ExpectedModule {
  /** By export, those of contents; the others as `default`. */
  readonly strings: ReadonlyMap<string, readonly Expected[]>
  /** A pack, which has to be among the assets. */
  readonly asset?: { readonly what: string; readonly bytes: Uint8Array }
}

/** What each module that `emitModules` writes brings along, by its id. */
export function expectedModules(
  skills: readonly CompiledSkill[],
  { id = 'virtual:skills', content, encoding = 'utf8' }: Omit<EmitOptions, 'asset'>,
): ReadonlyMap<string, () => ExpectedModule> {
  const slots = assignSlots(skills)
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
  add(id, skills)
  for (const skill of skills) add(`${id}/${skill.path}`, [skill])
  if (content === 'pack') return modules
  const names = fileNames(skills)
  for (const group of groupsOf(slots))
    modules.set(groupId(id, group), () => ({
      strings: new Map(group.files.map((file, index) => fileString(file, index, names, encoding))),
    }))
  return modules
}

function rowStrings(
  skills: readonly CompiledSkill[],
  rows: readonly Row[],
  encoding: Encoding,
): readonly Expected[] {
  if (encoding === 'base64') return [{ value: rowsValue(rows), what: 'The entries of all skills' }]
  return rows.flatMap(({ uri, json }, index) => {
    const { path } = skills[index]!
    return [
      { value: uri, what: `The URI of the skill "${path}"` },
      { value: json, what: `The entry of the skill "${path}", its frontmatter and file table` },
    ]
  })
}

function fileString(
  file: SkillFile,
  index: number,
  names: ReadonlyMap<string, string>,
  encoding: Encoding,
): [string, readonly Expected[]] {
  return [slotName(file, index), [{ value: contentValue(file, encoding), what: names.get(file.digest)! }]]
}

/** A name for every content, by digest: its first file. */
function fileNames(skills: readonly CompiledSkill[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const skill of skills)
    for (const { path, digest } of skill.files)
      if (!names.has(digest)) names.set(digest, `${path} of the skill "${skill.path}"`)
  return names
}
