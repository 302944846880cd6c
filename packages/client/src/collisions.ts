import type { HostSkill } from './skill.ts'

/** Skills of one name. */
export interface Collision {
  readonly name: string
  readonly skills: readonly HostSkill[]
  /** Whether the host has a skill of this name from elsewhere. */
  readonly local: boolean
}

/** The names that say too little: those of several skills, within a server or across. */
export function findCollisions(skills: readonly HostSkill[], local: readonly string[]): Collision[] {
  const byName = new Map<string, HostSkill[]>()
  for (const skill of skills) {
    const named = byName.get(skill.name)
    if (named) named.push(skill)
    else byName.set(skill.name, [skill])
  }
  return [...byName]
    .map(([name, skills]) => ({ name, skills, local: local.includes(name) }))
    .filter(({ skills, local }) => skills.length > 1 || local)
}
