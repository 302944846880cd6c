import type { CompileResult } from '@embed-skills/compiler'

/** `1 skill`, `2 skills`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** `3 skills` and `12 files`, those with templates among them. */
export function countSkills({ skills, templates }: Pick<CompileResult, 'skills' | 'templates'>): string[] {
  const all = [...skills, ...templates]
  const files = all.reduce((sum, skill) => sum + skill.files.length, 0)
  return [count(all.length, 'skill'), count(files, 'file')]
}
