/** `skills.lock.json`: the digest of every file of every skill. */
export interface SkillsLock {
  readonly version: 1
  readonly skills: LockedSkills
  /**
   * Skills that hold templates: what they are rendered to is known on the server alone, so that these are the
   * digests of their sources. Left out where there are none.
   */
  readonly templates?: LockedSkills
}

/** `sha256:` and 64 hexadecimal digits, by skill path (`acme/refunds`) and by the file's path below the skill. */
export type LockedSkills = Readonly<Record<string, Readonly<Record<string, string>>>>
