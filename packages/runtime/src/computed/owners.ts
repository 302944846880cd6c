import type { CompiledSkills } from '../compiled.ts'
import type { SkillSource } from '../source.ts'
import type { Traits } from './traits.ts'
import { sourceOf } from '../catalog.ts'
import { refuseConflicts } from '../conflicts.ts'
import { ROOT, SKILL_MD } from '../uri.ts'
import { traitsOf } from './traits.ts'

/** One of the sources of a join. */
export interface Member extends Traits {
  readonly source: SkillSource
}

interface Level {
  /** The folder of the skill, '' where only sources that may have any skill are left to ask. */
  readonly root: string
  readonly members: readonly Member[]
  /** Whether what these do not have is nowhere: a level further up would hold a dropped copy. */
  readonly isLast: boolean
}

/** Who serves what, as far as it is known before anybody is asked. */
export interface Owners {
  readonly members: readonly Member[]
  /** The traits of all together. */
  readonly traits: Traits
  /** The innermost known skill around a URI, and who has it. */
  of(uri: string): Level
  /** The skills around a URI, from the innermost outwards. */
  levels(uri: string): Level[]
  /** The folder of the innermost known skill around a URI, '' if there is none. */
  rootAround(uri: string): string
  /** The folders of known skills below one, in order. */
  below(root: string): readonly string[]
  /** Those of them whose contents were not fixed when they were built, or lie in one such. */
  computedBelow(root: string): readonly string[]
  isFixed(root: string): boolean
}

/** The deepest skill path: nobody nests further, and a URI of a thousand segments costs nothing. */
const MAX_DEPTH = 32

/** @throws Error for paths and nestings that can only be mistakes. */
export function ownersOf(skills: readonly (CompiledSkills | SkillSource)[]): Owners {
  const members = skills.map((skills): Member => ({ ...traitsOf(skills), source: sourceOf(skills) }))
  const byRoot = new Map<string, Member[]>()
  for (const member of members)
    for (const root of member.roots) byRoot.set(root, [...(byRoot.get(root) ?? []), member])
  const roots = [...byRoot.keys()].sort()
  const inside = new Map<string, string[]>()
  for (const root of roots)
    for (const folder of foldersAround(root)) {
      const known = inside.get(folder)
      if (known) known.push(root)
      else inside.set(folder, [root])
    }
  const patterns = members.flatMap((member) => member.patterns.map((pattern) => ({ pattern, member })))
  const open = members.filter((member) => member.isOpen)
  const isDynamic = (root: string): boolean | undefined => byRoot.get(root)?.[0]!.isDynamic?.(root)
  const sets = members.flatMap((member) => member.sets)
  refuseConflicts(sets)
  refuseTwins(byRoot)
  refuseDynamic(roots, isDynamic)
  refusePatterns(
    roots,
    patterns.map(({ pattern }) => pattern),
  )

  const isFixed = (root: string): boolean => byRoot.get(root)!.every((member) => member.isFixed)

  function levelAt(root: string): Member[] {
    const segments = root.slice(ROOT.length).split('/')
    const matching = patterns.filter(({ pattern }) => matches(pattern, segments))
    return [...(byRoot.get(root) ?? []), ...matching.map(({ member }) => member)]
  }

  function levels(uri: string): Level[] {
    const found: Omit<Level, 'isLast'>[] = []
    let depth = 0
    for (let end = ROOT.length; depth < MAX_DEPTH && (end = uri.indexOf('/', end + 1)) > 0; depth++) {
      const members = levelAt(uri.slice(0, end))
      if (members.length) found.unshift({ root: uri.slice(0, end), members: [...new Set(members)] })
    }
    if (!found.length) return [{ root: '', members: open, isLast: true }]
    const allFixed = (level: { members: readonly Member[] } | undefined): boolean =>
      level?.members.every((member) => member.isFixed) ?? false
    return found.map((level, index) => ({
      ...level,
      isLast: !(allFixed(level) && allFixed(found[index + 1])),
    }))
  }

  function below(root: string): readonly string[] {
    return inside.get(root) ?? []
  }

  return {
    members,
    levels,
    below,
    isFixed,
    of(uri) {
      const [level] = levels(uri)
      // A skill's own URI is asked of those who have a skill there, not of one around it.
      if (!uri.endsWith(SKILL_MD) || !level!.root || uri === level!.root + SKILL_MD) return level!
      return { ...level!, members: [] }
    },
    rootAround: (uri) => levels(uri)[0]!.root,
    computedBelow(root) {
      const around = levels(`${root}/`)[0]!
      const isComputed = !around.root || !around.members.every((member) => member.isFixed)
      return below(root).filter((inner) => isComputed || !isFixed(inner))
    },
    traits: {
      roots,
      patterns: patterns.map(({ pattern }) => pattern),
      sets,
      isDynamic,
      isOpen: open.length > 0,
      isFixed: members.every((member) => member.isFixed),
      isRestricted: members.some((member) => member.isRestricted),
      lacksDirectories: members.some((member) => member.lacksDirectories),
      ...(members.some((member) => member.onChange) && {
        onChange(listener) {
          const stops = members.map((member) => member.onChange?.(listener))
          return () => stops.forEach((stop) => stop?.())
        },
      }),
    },
  }
}

/** The folders that the folder of a skill lies in, from the innermost outwards. */
function* foldersAround(root: string): Generator<string> {
  for (let end = root.length; (end = root.lastIndexOf('/', end - 1)) > ROOT.length;) yield root.slice(0, end)
}

/** Whether a path, by its segments, can come of a pattern. */
export function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => part[0] === ':' || part === segments[index])
  )
}

/** Feature N8. Compiled sets may overlap: `joinSkills` has compared their bytes. */
function refuseTwins(byRoot: ReadonlyMap<string, readonly Member[]>): void {
  for (const [root, members] of byRoot)
    if (members.length > 1 && !members.every((member) => member.isFixed))
      throw new Error(`Two sources serve a skill at ${root}: give one of them another path`)
}

/** Feature A10, as far as it is known before anything is rendered. */
function refuseDynamic(roots: readonly string[], dynamic: (root: string) => boolean | undefined): void {
  for (const inner of roots) {
    if (!dynamic(inner)) continue
    for (const outer of foldersAround(inner))
      if (dynamic(outer) === false)
        throw new Error(
          `${inner} is dynamic and lies in ${outer}, which has a manifest: declare both dynamic, or both stable`,
        )
  }
}

/** Feature P11: a route with params lies in no other skill. */
function refusePatterns(roots: readonly string[], patterns: readonly (readonly string[])[]): void {
  const fixed = roots.map((root) => root.slice(ROOT.length).split('/'))
  for (const pattern of patterns)
    for (const outer of [...fixed, ...patterns]) {
      if (outer.length >= pattern.length) continue
      const couldMatch = outer.every(
        (part, index) => part[0] === ':' || pattern[index]![0] === ':' || part === pattern[index],
      )
      if (couldMatch)
        throw new Error(
          `The route ${pattern.join('/')} lies in the skill ${outer.join('/')}, and a route with params cannot nest`,
        )
    }
}
