import type { CatalogOptions, SkillCatalog } from '../catalog.ts'
import type { CompiledSkills } from '../compiled.ts'
import type { MaybePromise, RequestContext, SkillSource } from '../source.ts'
import type { Skill } from '../wire.ts'
import { isCompiled } from '../compiled.ts'
import { SKILL_MD } from '../uri.ts'
import { computedCatalog } from './catalog.ts'
import { nestSkills } from './nest.ts'

/** A skill as far as it is known without rendering its files. */
export type SkillSummary = Omit<Skill, 'resources'>

/** What a join and a catalog have to know of a source before they ask it anything. */
export interface Traits {
  /** The folders, `skill://acme/refunds`, of the skills that are known beforehand. */
  readonly roots: readonly string[]
  /** Paths with params of which a skill may come: `['studies', ':id', 'review']`. */
  readonly patterns: readonly (readonly string[])[]
  /** Whether it may have any other skill too. Such a source is asked last. */
  readonly isOpen: boolean
  /** Whether all its contents were fixed when it was built, digests included. */
  readonly isFixed: boolean
  /** The compiled sets in it. */
  readonly sets: readonly CompiledSkills[]
  /** Whether the skill in a folder is `dynamic`, as far as that is known. */
  readonly isDynamic?: (root: string) => boolean | undefined
  /** The skill at a URI without what it takes to list its files. By default `get`. */
  readonly peek?: (uri: string, context: RequestContext) => MaybePromise<SkillSummary | undefined>
  /** Whether access rules apply. */
  readonly isRestricted: boolean
  /** Whether there are dynamic skills whose directories it cannot list. */
  readonly lacksDirectories: boolean
  readonly onChange?: SkillCatalog['onChange']
}

const known = new WeakMap<NonNullable<SkillSource['catalog']>, Traits>()

const UNKNOWN: Traits = {
  roots: [],
  patterns: [],
  sets: [],
  isOpen: true,
  isFixed: false,
  isRestricted: false,
  lacksDirectories: false,
}

/** A source with what computed skills need, and its traits where joins and catalogs find them. */
export function computedSource(source: SkillSource, traits: Partial<Traits>): SkillSource {
  const all: Traits = { ...UNKNOWN, isOpen: false, ...traits }
  // A method, since a source may be wrapped by spreading it.
  function catalog(this: SkillSource, options: CatalogOptions): SkillCatalog {
    return computedCatalog(this, all, options)
  }
  known.set(catalog, all)
  return { ...source, catalog, join: nestSkills }
}

/** The traits of anything that can be joined. */
export function traitsOf(skills: CompiledSkills | SkillSource): Traits {
  if (isCompiled(skills)) {
    const roots = Object.keys(skills.skills).map(rootOf)
    return { ...UNKNOWN, roots, sets: [skills], isOpen: false, isFixed: true, isDynamic: () => false }
  }
  return (skills.catalog && known.get(skills.catalog)) ?? UNKNOWN
}

/** The folder of a skill, by the URI of its `SKILL.md`. */
export function rootOf(uri: string): string {
  return uri.slice(0, -SKILL_MD.length)
}
