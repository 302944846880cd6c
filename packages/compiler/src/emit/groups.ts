import { hash } from 'node:crypto'
import type { CompiledSkill, SkillFile } from '../types.ts'

/**
 * Distinct contents that are held by exactly the same skills. Equal bytes are written once, and a
 * skill that is imported alone brings its own bytes and no other's.
 */
export interface Group {
  /** The path of the first holder. Where several skills hold the contents, a hash of who follows. */
  readonly name: string
  readonly files: readonly SkillFile[]
}

/** The place of a content. */
export interface Slot {
  readonly group: Group
  /** Its name in the group: `t…` holds text, `b…` the base64 of bytes. */
  readonly name: string
}

/** The place of every distinct content, by digest. */
export function assignSlots(skills: readonly CompiledSkill[]): ReadonlyMap<string, Slot> {
  const holders = new Map<string, { file: SkillFile; paths: Set<string> }>()
  for (const { path, files } of skills)
    for (const file of files) {
      const known = holders.get(file.digest)
      if (known) known.paths.add(path)
      else holders.set(file.digest, { file, paths: new Set([path]) })
    }

  const groups = new Map<string, Group & { readonly files: SkillFile[] }>()
  const slots = new Map<string, Slot>()
  for (const { file, paths } of holders.values()) {
    const name = groupName([...paths])
    const group = groups.get(name) ?? { name, files: [] }
    groups.set(name, group)
    slots.set(file.digest, { group, name: slotName(file, group.files.length) })
    group.files.push(file)
  }
  return slots
}

/** The groups in order of their first file. */
export function groupsOf(slots: ReadonlyMap<string, Slot>): readonly Group[] {
  return [...new Set([...slots.values()].map(({ group }) => group))]
}

export function slotName({ kind }: SkillFile, index: number | string): string {
  return `${kind === 'text' ? 't' : 'b'}${index}`
}

function groupName([first, ...others]: string[]): string {
  return others.length ? `${first}+${hash('sha256', [first, ...others].join('\n')).slice(0, 8)}` : first!
}
