import type { CompiledSkills, Contents } from '../compiled.ts'

/** Files by path below the skill, `SKILL.md` first; a path that ends with `/` is an empty folder. */
type Files = Readonly<Record<string, string>>

/**
 * A compiled set written by hand: one group of contents a skill, text in slot `t…`. Digests are not real, since
 * the runtime takes them as they are.
 */
export function compiledSet(skills: Readonly<Record<string, Files>>): CompiledSkills & { loads: number[] } {
  const loads: number[] = []
  const groups: Contents[] = []
  const entries = Object.entries(skills).map(([path, files]) => {
    const contents: Record<string, string> = {}
    const rows = Object.entries(files).map(([file, text], index) => {
      if (file.endsWith('/')) return [file.slice(0, -1), 'inode/directory']
      contents[`t${index}`] = text
      const sha256 = `${text.length}`.padStart(64, '0')
      return [file, 'text/markdown', text.length, sha256, groups.length, `t${index}`]
    })
    groups.push(contents)
    const frontmatter = { name: path.split('/').at(-1), description: `Does ${path}.` }
    return [`skill://${path}/SKILL.md`, JSON.stringify([frontmatter, ...rows])] as const
  })
  return {
    format: 1,
    skills: Object.fromEntries(entries),
    loads,
    load(group) {
      loads.push(group)
      return groups[group]!
    },
  }
}
