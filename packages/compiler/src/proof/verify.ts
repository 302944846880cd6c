import type { ExpectedModule, Expected } from './expected.ts'
import type { FoundString } from './strings.ts'
import { stringsOf } from './strings.ts'

/** A chunk as it was written. */
export interface WrittenChunk {
  readonly fileName: string
  readonly code: string
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
    const expected: Expected[] = []
    for (const [id, exports] of held) {
      const module = modules.get(id)?.()
      if (!module) continue
      for (const [name, strings] of module.strings)
        if (!exports || exports.includes(name)) expected.push(...strings)
      const { asset } = module
      const isHeld = !asset || assets.some(({ bytes }) => Buffer.compare(bytes, asset.bytes) === 0)
      if (!isHeld) missing.push({ fileName, what: asset.what })
    }
    if (expected.length) missing.push(...missingIn(fileName, code, expected))
  }
  return missing
}

function missingIn(fileName: string, code: string, expected: readonly Expected[]): readonly Missing[] {
  const found = stringsOf(code, fileName)
  const values = new Set(found.map(({ value }) => value))
  const isThere = ({ value, isTemplate }: Expected): boolean =>
    values.has(value) || (isTemplate === true && found.some((string) => string.value.includes(value)))
  const lost = expected.filter((each) => !isThere(each))
  if (!lost.length) return []
  const known = new Set(expected.map(({ value }) => value))
  const others = found.filter(({ value }) => !known.has(value))
  return lost.flatMap(({ value, what, isTemplate }) => {
    const difference = nearest(value, others)
    // Code that can never run is left out, and what it would have written with it.
    if (isTemplate) return difference ? [{ fileName, what, difference, isTemplate }] : []
    return [{ fileName, what, ...(difference && { difference }) }]
  })
}

// Two strings that share less than this at both of their ends have nothing to do with each other.
const ALIKE = 8
const AROUND = 24

/** Where the string that is most like `value` differs from it. */
function nearest(value: string, others: readonly FoundString[]): Missing['difference'] {
  let best: { written: string; start: number; shared: number } | undefined
  for (const { value: written } of others) {
    const start = sharedStart(value, written)
    const shared = start + sharedEnd(value, written, start)
    if (shared > (best?.shared ?? Math.min(ALIKE, value.length / 2))) best = { written, start, shared }
  }
  if (!best) return undefined
  const excerpt = (text: string): string => {
    const from = Math.max(0, best.start - AROUND)
    const to = Math.min(text.length, best.start + AROUND)
    return `${from ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
  }
  return { compiled: excerpt(value), written: excerpt(best.written) }
}

function sharedStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

function sharedEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start
  let length = 0
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length++
  return length
}
