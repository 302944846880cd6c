import type { Json, JsonObject } from '@embed-skills/runtime'
import { asciiJson } from '../literal.ts'
import type { CompiledSkill } from '../types.ts'

/** The type of a set, which `CompiledSkills<…>` takes: names, paths and frontmatter as literals. */
export function setType(skills: readonly CompiledSkill[], indent = ''): string {
  const members = skills.map(
    (skill) => `${indent}  readonly ${keyType(skill.path)}: ${skillType(skill, `${indent}  `)}\n`,
  )
  return members.length ? `{\n${members.join('')}${indent}}` : '{}'
}

/** The type of one skill in a set. */
export function skillType({ frontmatter, files }: CompiledSkill, indent = ''): string {
  const names = (wanted: 'text' | 'blob'): string => {
    const found = files.filter(({ kind }) => kind === wanted).map(({ path }) => asciiJson(path))
    return found.join(' | ') || 'never'
  }
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

function keyType(key: string): string {
  return /^[a-z_]\w*$/i.test(key) ? key : asciiJson(key)
}
