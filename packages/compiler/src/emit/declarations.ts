import type { CompiledSkill } from '../types.ts'
import { HEADER } from './header.ts'
import { singleModules } from './single-modules.ts'
import { setType } from './types.ts'

/** A set whose names, paths and frontmatter are known. */
export interface TypedSet {
  /** The id that it is imported under, or a glob from the root that the macro takes: `/skills/*`. */
  readonly id: string
  /** As `compile` gives them; those that hold templates too. */
  readonly skills: readonly CompiledSkill[]
}

/**
 * The text of `embed-skills.d.ts`: what the runtime's types know of a project's sets. It is a script,
 * for only a script declares modules; what stands for modules that it does not know is in
 * `unplugin-embed-skills/client`.
 *
 * @param root The root of the project, absolute, for what `./some/SKILL.md?skill` imports.
 */
export function declarationsOf(sets: readonly TypedSet[], root: string): string {
  const sorted = [...new Map(sets.map((set) => [set.id, set])).values()].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  )
  const register = sorted.map(({ id, skills }) => `${member(id)}${setType(skills, '  ')}\n`)
  const modules = sorted.filter(({ id }) => !isGlob(id)).flatMap(modulesOf)
  const alone = singleModules(sorted, root).map(({ pattern, type }) => moduleOf(pattern, type))
  const header = HEADER.replace('// @ts-nocheck\n', '')
  return `${header}interface EmbedSkillsRegister {\n${register.join('')}}\n${[...modules, ...alone].join('')}`
}

/** The globs of the macro in the text of an `embed-skills.d.ts`. */
export function globsIn(declarations: string): readonly string[] {
  const ids = [...declarations.matchAll(/^ {2}readonly (".+"): \{/gm)].map(
    ([, id]) => JSON.parse(id!) as string,
  )
  return ids.filter(isGlob)
}

function isGlob(id: string): boolean {
  return id.startsWith('/')
}

function member(id: string): string {
  return `  readonly ${JSON.stringify(id)}: `
}

function modulesOf({ id, skills }: TypedSet): string[] {
  const set = `EmbedSkillsRegister[${JSON.stringify(id)}]`
  const alone = skills.map(({ path }) => moduleOf(`${id}/${path}`, `Pick<${set}, ${JSON.stringify(path)}>`))
  return id === 'virtual:skills' ? alone : [moduleOf(id, set), ...alone]
}

function moduleOf(id: string, type: string): string {
  return `declare module ${JSON.stringify(id)} {
  const skills: import('@embed-skills/runtime').CompiledSkills<${type}>
  export default skills
}
`
}
