import type { CompiledSkills } from '@embed-skills/runtime'
import { FORMAT } from './emit.ts'
import { asciiJson } from './literal.ts'
import { childUri } from './read/uri.ts'
import type { CompiledSkill, SkillFile } from './types.ts'

// A BOM is three of the file's bytes, so it stays.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Compiled skills as the runtime takes them, without modules in between: for a server in the same process.
 *
 * @param skills By URI, as `compile` gives them.
 *
 * @example
 * const { skills } = await compile('skills/*')
 * const server = serveSkills(compiledSet(skills), { name: 'acme', version: '1.0.0' })
 */
export function compiledSet(skills: readonly CompiledSkill[]): CompiledSkills {
  return {
    format: FORMAT,
    skills: Object.fromEntries(skills.map((skill, group) => [skill.uri, entryOf(skill, group)])),
    load: (group) =>
      Object.fromEntries(skills[group]!.files.map((file, index) => [slot(file, index), valueOf(file)])),
  }
}

function entryOf({ uri, frontmatter, files, emptyDirectories }: CompiledSkill, group: number): string {
  const root = uri.slice(0, uri.lastIndexOf('/'))
  const below = (uri: string): string => uri.slice(root.length + 1)
  const rows: unknown[][] = files.map((file, index) => {
    const { uri, mimeType, size, digest } = file
    return [below(uri), mimeType, size, digest.slice('sha256:'.length), group, slot(file, index)]
  })
  for (const path of emptyDirectories) {
    const folder = path.split('/').reduce((parent, name) => childUri(parent, name)!, root)
    rows.push([below(folder), 'inode/directory'])
  }
  return asciiJson([frontmatter, ...rows])
}

function slot({ kind }: SkillFile, index: number): string {
  return `${kind === 'text' ? 't' : 'b'}${index}`
}

function valueOf({ kind, bytes }: SkillFile): string {
  if (kind === 'text') return decoder.decode(bytes)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
}
