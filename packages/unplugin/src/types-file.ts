import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { CompileOptions, Output, TypedSet } from '@embed-skills/compiler'
import { compareWithDisk, compile, declarationsOf, globsIn, writeOutput } from '@embed-skills/compiler'
import type { SkillSet } from './skill-set.ts'

/** The name of the file, unless another is chosen. */
export const TYPES_FILE = 'embed-skills.d.ts'

/**
 * What `embed-skills.d.ts` should hold: the sets of the configuration, the globs of the macro that were
 * seen, and those that the file knows already, since a build sees one environment's modules alone.
 *
 * @param file Absolute.
 * @param options What globs of the macro are compiled with.
 * @returns `undefined` while a skill has an error: the names of the others would go with it.
 */
export async function typesOutput(
  file: string,
  options: CompileOptions & { readonly root: string },
  sets: readonly SkillSet[],
  seen: Iterable<string> = [],
): Promise<Output | undefined> {
  const typed: TypedSet[] = []
  for (const set of sets) {
    const { skills, templates, hasErrors } = await set.compile()
    if (hasErrors) return undefined
    typed.push({ id: set.options.id, skills: [...skills, ...templates] })
  }
  const known = await readFile(file, 'utf8').then(globsIn, () => [])
  for (const glob of new Set([...known, ...seen])) {
    const { skills, templates } = await compile(glob.slice(1), options)
    const all = [...skills, ...templates]
    if (all.length) typed.push({ id: glob, skills: all })
  }
  const { dir: folder, base } = path.parse(file)
  return { folder, files: new Map([[base, declarationsOf(typed, options.root)]]) }
}

/**
 * Writes the file where it differs from the disk.
 *
 * @throws Error if a file is there that somebody else wrote.
 */
export async function writeTypes(output: Output): Promise<void> {
  const differences = await compareWithDisk(output)
  const foreign = differences.find(({ kind }) => kind === 'foreign')
  if (foreign)
    throw new Error(
      `embed-skills: ${foreign.file} was not written by embed-skills. Remove it, or name another with the option \`types\`.`,
    )
  await writeOutput(output, differences)
}
