import type { Expected, ExpectedModule } from './expected.ts'
import { matchLikeness, sharedEnd, sharedStart } from './likeness.ts'
import type { FoundString } from './strings.ts'
import { stringsOf } from './strings.ts'

/** A chunk as it was written. */
export interface WrittenChunk {
  readonly fileName: string
  /** Several files' where nobody knows which of them holds what. */
  readonly code: string | readonly string[]
  /** The modules in it by id, with the exports that were kept; `undefined` if the bundler does not say. */
  readonly modules: ReadonlyMap<string, readonly string[] | undefined>
}

export interface WrittenAsset {
  readonly fileName: string
  readonly bytes: Uint8Array
}

/** Something that was compiled into a bundle and is not in it. */
export interface Missing {
  /** The chunk that should hold it. */
  readonly fileName: string
  /** What it is, for people. */
  readonly what: string
  /** The places where what was written instead first differs, if something like it was written. */
  readonly difference?: { readonly compiled: string; readonly written: string }
  /** Whether it is a text of a template. */
  readonly isTemplate?: true
}

/**
 * Compares what was written with what was compiled: the strings of every chunk that holds modules of
 * a set, and packs. What is equal is equal to the last byte.
 *
 * A string that is missing may be one that a minifier did away with, since nothing uses it: `Object.keys(set.skills)`
 * can become a list of names. So it counts as missing where it cannot be unused, or where something is there that it
 * was before it was rewritten.
 *
 * @param modules What a module brings along, for the ids of all sets.
 * @throws SyntaxError if a chunk is no JavaScript.
 */
export function verifyBundle(
  chunks: readonly WrittenChunk[],
  assets: readonly WrittenAsset[],
  modules: ReadonlyMap<string, () => ExpectedModule>,
): readonly Missing[] {
  const missing: Missing[] = []
  for (const { fileName, code, modules: held } of chunks) {
    const expected: HeldModule[] = []
    for (const [id, exports] of held) {
      const module = modules.get(id)?.()
      if (!module) continue
      const { asset, strings, isContents = false } = module
      const kept = [...strings].filter(([name]) => !exports || exports.includes(name))
      expected.push({ isContents, strings: kept.flatMap(([, strings]) => strings) })
      const isHeld = !asset || assets.some(({ bytes }) => Buffer.compare(bytes, asset.bytes) === 0)
      if (!isHeld) missing.push({ fileName, what: asset.what })
    }
    if (!expected.some(({ strings }) => strings.length)) continue
    const found = [code].flat().flatMap((code) => stringsOf(code, fileName))
    missing.push(...missingIn(found, expected, modules).map((each) => ({ fileName, ...each })))
  }
  return missing
}

interface HeldModule {
  readonly isContents: boolean
  readonly strings: readonly Expected[]
}

function missingIn(
  found: readonly FoundString[],
  held: readonly HeldModule[],
  modules: ReadonlyMap<string, () => ExpectedModule>,
): readonly Omit<Missing, 'fileName'>[] {
  const values = new Map<string, FoundString[]>()
  for (const string of found) {
    const same = values.get(string.value)
    if (same) same.push(string)
    else values.set(string.value, [string])
  }
  const isThere = ({ value, isTemplate }: Expected): boolean =>
    values.has(value) || (isTemplate === true && found.some((string) => string.value.includes(value)))
  const lost = held.flatMap((module) => {
    const strings = module.strings.filter((expected) => !isThere(expected))
    const certain = strings.filter(({ isTemplate }) => !isTemplate)
    // Code that can never run is left out, and what a template would have written there with it.
    return strings.map((expected) => ({
      expected,
      isUsed: certain.includes(expected) && isUsed(module, held, certain.length),
    }))
  })
  const renamed = held.flatMap(({ strings }) => strings.flatMap((entry) => renamedIn(values, entry)))
  if (!lost.length && !renamed.length) return []

  // What another set brings along is like what this one does, and in its place.
  const known = [...modules.values()].flatMap((module) => [...module().strings.values()].flat())
  const [texts, uris] = [new Set(known.map(({ value }) => value)), new Set(known.map(({ uri }) => uri))]
  const others = found.filter(({ value }) => !texts.has(value))
  const byKey = new Map<string, string[]>()
  for (const { key, value } of others)
    if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), value])
  const atPlace = new Map(
    lost.flatMap(({ expected: { value, uri } }) => {
      // Several sets may have a skill of that URI.
      const there = (uri !== undefined && byKey.get(uri)) || []
      const written = there.find((text) => isSameJson(value, text)) ?? there[0]
      return written === undefined ? [] : [[value, written] as const]
    }),
  )
  const placed = new Set(atPlace.values())
  const alike = matchLikeness(
    lost.map(({ expected: { value } }) => value).filter((value) => !atPlace.has(value)),
    others.map(({ value }) => value).filter((value) => !placed.has(value)),
  )
  return [
    ...lost.flatMap(({ expected: { value, what, uri, isTemplate }, isUsed }) => {
      const written = atPlace.get(value) ?? alike.get(value)
      if (written === undefined && !isUsed) return []
      // An entry is JSON: swc writes some escapes in it as what they stand for.
      if (written !== undefined && uri !== undefined && isSameJson(value, written)) return []
      const difference = written === undefined ? nearest(value, others) : differenceOf(value, written)
      return [{ what, ...(difference && { difference }), ...(isTemplate && { isTemplate }) }]
    }),
    ...renamed.flatMap(({ uri, key }) =>
      uris.has(key) ? [] : [{ what: `The URI ${uri}`, difference: differenceOf(uri, key) }],
    ),
  ]
}

/**
 * Whether nothing of a module can be unused. Contents are reached through an object that no minifier looks into: of one
 * that is kept all of it is. And if the index is in another chunk, what this one exports is not known to be unused.
 */
function isUsed({ isContents, strings }: HeldModule, held: readonly HeldModule[], lost: number): boolean {
  return isContents && (lost < strings.length || held.every((module) => module.isContents))
}

function isSameJson(compiled: string, written: string): boolean {
  try {
    return JSON.stringify(JSON.parse(written)) === JSON.stringify(JSON.parse(compiled))
  } catch {
    return false
  }
}

/** An entry that stands under other URIs than its own. */
function renamedIn(
  values: ReadonlyMap<string, readonly FoundString[]>,
  { value, uri }: Expected,
): { uri: string; key: string }[] {
  const keys = (values.get(value) ?? []).map(({ key }) => key)
  if (uri === undefined || keys.includes(uri)) return []
  return keys.flatMap((key) => (key === undefined ? [] : [{ uri, key }]))
}

// Less at both ends is chance.
const ALIKE = 8
const AROUND = 24

/** Where the string that has most in common with `value` at its ends differs from it. */
function nearest(value: string, others: readonly FoundString[]): Missing['difference'] {
  let best: { written: string; shared: number } | undefined
  for (const { value: written } of others) {
    const start = sharedStart(value, written)
    const shared = start + sharedEnd(value, written, start)
    if (shared > (best?.shared ?? Math.min(ALIKE, value.length / 2))) best = { written, shared }
  }
  return best && differenceOf(value, best.written)
}

function differenceOf(compiled: string, written: string): NonNullable<Missing['difference']> {
  const start = sharedStart(compiled, written)
  const excerpt = (text: string): string => {
    const from = Math.max(0, start - AROUND)
    const to = Math.min(text.length, start + AROUND)
    return `${from ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
  }
  return { compiled: excerpt(compiled), written: excerpt(written) }
}
