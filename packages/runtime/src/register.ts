import type { Frontmatter } from './wire.ts'

/** What is known of one skill before anything runs. */
export interface SkillTypes {
  /** Every field with its literal type. */
  readonly frontmatter: Frontmatter
  /** The paths of files that are text, below the skill's folder: `'SKILL.md' | 'templates/mail.md'`. */
  readonly text: string
  /** The paths of files that are not. */
  readonly bytes: string
  /** Of a skill that holds templates: `renderSkill` knows it, and `getSkill` and `readFile` do not. */
  readonly template?: true
}

/** What is known of a set: its skills by path. */
export interface SetTypes {
  readonly [path: string]: SkillTypes
}

/** The paths of skills that are served as they are. */
export type ServedPath<T extends SetTypes> = string extends keyof T
  ? string
  : { [P in keyof T & string]: T[P] extends { readonly template: true } ? never : P }[keyof T & string]

/** The paths of skills that hold templates. */
export type TemplatePath<T extends SetTypes> = string extends keyof T
  ? string
  : { [P in keyof T & string]: T[P] extends { readonly template: true } ? P : never }[keyof T & string]

declare global {
  /**
   * The sets of a project by the id that they are imported under, or by the glob from the root that the
   * macro takes. The generated `embed-skills.d.ts` adds to it. It is global because that file declares
   * modules as well, and no file can declare a module and augment another.
   */
  // oxlint-disable-next-line typescript/no-empty-object-type
  interface EmbedSkillsRegister {}
}

/** The types of the set with this id or glob; loose ones until `embed-skills.d.ts` is there. */
export type Registered<Id extends string> = EmbedSkillsRegister extends {
  readonly [K in Id]: infer T extends SetTypes
}
  ? T
  : SetTypes
