import path from 'node:path'
import type { TypedSet } from './declarations.ts'
import { keyType } from './types.ts'

/** What `./some/SKILL.md?skill` gives, by the pattern of modules that it matches. */
export interface SingleModule {
  readonly pattern: string
  /** The type of the set that it is. */
  readonly type: string
}

/**
 * The skills of sets, as they are imported alone by their files. No declaration can name a relative module, but
 * a pattern can, and one that begins with a dot is taken before the `*?skill` that stands for all others.
 * Which skill is meant is told by the folder below the root, at the end of the specifier; where that is
 * the end of another skill's folder too, the longer one alone is declared.
 *
 * @param root Absolute.
 */
export function singleModules(sets: readonly TypedSet[], root: string): SingleModule[] {
  const types = new Map<string, string>()
  for (const { id, skills } of sets)
    for (const skill of skills) {
      const folder = below(root, skill.folder)
      const name = path.basename(skill.folder)
      // Alone it has the path that its folder gives.
      const isNamed = name === skill.path.split('/').at(-1)
      if (!isNamed || /[*?#]/.test(folder) || types.has(folder)) continue
      const type = `EmbedSkillsRegister[${JSON.stringify(id)}][${JSON.stringify(skill.path)}]`
      types.set(folder, `{ readonly ${keyType(name)}: ${type} }`)
    }
  const folders = [...types.keys()].sort()
  const isEnding = (folder: string): boolean =>
    folders.some((other) => other !== folder && other.endsWith(`/${folder}`))
  return folders
    .filter((folder) => !isEnding(folder))
    .map((folder) => ({ pattern: `.*/${folder}/SKILL.md?skill`, type: types.get(folder)! }))
}

/** The folder below the root; of one that is not, what follows the folder that they share. */
function below(root: string, folder: string): string {
  const segments = path.relative(root, folder).split(path.sep)
  return segments.filter((segment) => segment !== '..').join('/')
}
