import { existsSync } from 'node:fs'
import path from 'node:path'
import { belowRoot } from './below-root.ts'

/**
 * Bundlers mark ids that are no files with a NUL, ask again about ids that were resolved already, and
 * add queries of their own.
 */
const MARK = '\0'

/** What the ids of single skills begin with: `virtual:skill/skills/refunds` for `./skills/refunds/SKILL.md?skill`. */
const SINGLE = 'virtual:skill'

/** What matches the ids of a set, resolved or not. No lookahead: esbuild's filters are Go's. */
export function idFilter(id: string): RegExp {
  return new RegExp(`^${MARK}?${id.replace(/\W/g, '\\$&')}(?:$|[/?])`)
}

/** What matches `./some/SKILL.md?skill`, and single skills that were resolved already. */
export const SINGLE_REQUEST: RegExp = /[?&]skill(?:$|&)/
export const SINGLE_ID: RegExp = new RegExp(`^${MARK}?${SINGLE}/`)

/** The id as bundlers keep it. */
export function resolvedId(id: string): string {
  return id.startsWith(MARK) ? id : MARK + id
}

/** The id of the module that a resolved id stands for. */
export function moduleId(id: string): string {
  return id.replace(MARK, '').replace(/\?.*$/, '')
}

/** The file that an id names, without the query behind it. Folders may have a `?` in their names, too. */
export function fileOf(id: string): string {
  const file = id.replace(MARK, '').replace(/\?[^/\\]*$/, '')
  return file.includes('?') && !existsSync(path.dirname(file)) ? moduleId(id) : file
}

/** A skill that is imported by its file. */
export interface SingleSkill {
  /** The skill's folder, absolute. */
  readonly folder: string
  /** What its `SKILL.md` is called. */
  readonly mainFile: string
}

/**
 * The id of a single skill: its place below the root, so that it is the same on every machine. Dots are
 * spelled out, since bundlers go by what looks like an extension and resolve what looks like `..`.
 */
export function singleId({ folder, mainFile }: SingleSkill, root: string): string {
  const segments = belowRoot(root, folder).split('/').map(spell)
  return [SINGLE, ...(mainFile === 'SKILL.md' ? [] : [`~${spell(mainFile)}`]), ...segments].join('/')
}

/** The skill that an id of `singleId`, or of one of its contents, stands for, and the id of the skill. */
export function singleSkill(id: string, root: string): SingleSkill & { id: string } {
  const [own = ''] = id.split('/~/')
  const segments = own.slice(SINGLE.length + 1).split('/')
  const mainFile = segments[0]?.startsWith('~') ? unspell(segments.shift()!.slice(1)) : 'SKILL.md'
  return { id: own, folder: path.resolve(root, ...segments.map(unspell)), mainFile }
}

function spell(name: string): string {
  return name.replace(/[^\w-]/g, (char) => `$${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function unspell(name: string): string {
  return name.replace(/\$([\da-f]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
}
