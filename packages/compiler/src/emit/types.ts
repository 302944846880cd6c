import type { Json, JsonObject } from '@embed-skills/runtime'
import { asciiJson } from '../literal.ts'
import { compare } from '../read/order.ts'
import { hasTemplates } from '../template/engine.ts'
import type { CompiledSkill } from '../types.ts'

/** The type of a set, which `CompiledSkills<…>` takes: names, paths and frontmatter as literals. */
export function setType(skills: readonly CompiledSkill[], indent = ''): string {
  const members = skills
    .toSorted(byPath)
    .map((skill) => `${indent}  readonly ${keyType(skill.path)}: ${skillType(skill, `${indent}  `)}\n`)
  return members.length ? `{\n${members.join('')}${indent}}` : '{}'
}

/** In order of their URIs, as a set has them: those with templates come from another list. */
function byPath(a: CompiledSkill, b: CompiledSkill): number {
  return compare(a.uri, b.uri)
}

/** The type of one skill in a set. One with templates has no files until it is rendered. */
export function skillType({ frontmatter, files }: CompiledSkill, indent = ''): string {
  const names = (wanted: 'text' | 'blob'): string => {
    const found = files.filter(({ kind }) => kind === wanted).map(({ path }) => asciiJson(path))
    return found.join(' | ') || 'never'
  }
  if (hasTemplates({ files }))
    return `{
${indent}  readonly frontmatter: ${valueType(frontmatter)}
${indent}  readonly text: never
${indent}  readonly bytes: never
${indent}  readonly template: true
${indent}}`
  return `{
${indent}  readonly frontmatter: ${valueType(frontmatter)}
${indent}  readonly text: ${names('text')}
${indent}  readonly bytes: ${names('blob')}
${indent}}`
}

/** The literal type of a JSON value. */
function valueType(value: Json): string {
  if (Array.isArray(value)) return `readonly [${value.map(valueType).join(', ')}]`
  if (typeof value !== 'object' || value === null) return asciiJson(value)
  const members = Object.entries(value as JsonObject).map(
    ([key, member]) => `readonly ${keyType(key)}: ${valueType(member)}`,
  )
  return members.length ? `{ ${members.join('; ')} }` : 'Readonly<Record<string, never>>'
}

export function keyType(key: string): string {
  return /^[a-z_]\w*$/i.test(key) ? key : asciiJson(key)
}
