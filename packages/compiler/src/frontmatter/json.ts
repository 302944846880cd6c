import { isAlias, isMap, isScalar, isSeq } from 'yaml'
import type { Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import type { Json } from '@embed-skills/runtime'
import type { Position } from './text.ts'

/** A value that JSON cannot hold, or not as it was written. */
export interface JsonFault {
  readonly kind: 'key' | 'proto' | 'not-finite' | 'imprecise' | 'surrogate' | 'alias' | 'unknown'
  /** The text as written. */
  readonly source: string
  readonly at: Position
}

/** YAML that the official SDK's reader refuses though it is valid. */
export interface SubsetFault {
  readonly kind:
    | 'anchor'
    | 'alias'
    | 'tag'
    | 'merge'
    | 'explicit-key'
    | 'key-layout'
    | 'multiline-quotes'
    | 'unclosed-quotes'
    | 'multiline-flow'
    | 'indentation-indicator'
    | 'flow-entry'
    | 'depth'
    | 'top-level-flow'
    | 'marker'
    | 'bom'
    | 'carriage-return'
    | 'tab'
  readonly at: Position
}

/** A key or a value as it was written. */
export interface ScalarFact {
  /** The way to it: keys, and indices of lists. */
  readonly keys: readonly string[]
  readonly part: 'key' | 'value'
  readonly style: 'plain' | 'double' | 'single' | 'block'
  /** Whether it stands in `[…]` or `{…}`. */
  readonly flow: boolean
  readonly source: string
  readonly value: unknown
  /** Offset of the first character in the YAML. */
  readonly start: number
  /** Offset past its last character. */
  readonly end: number
  readonly at: Position
}

export interface JsonReading {
  readonly value: Json
  readonly scalars: readonly ScalarFact[]
  readonly json: readonly JsonFault[]
  readonly subset: readonly SubsetFault[]
  /** Start and end of every block scalar, inside of which layout is content. */
  readonly blocks: readonly (readonly [start: number, end: number])[]
}

/** Any node of the `yaml` package, as far as it tells where it stands. */
interface Ranged {
  range?: readonly number[] | null | undefined
}

const STYLES: Readonly<Record<string, ScalarFact['style']>> = {
  PLAIN: 'plain',
  QUOTE_DOUBLE: 'double',
  QUOTE_SINGLE: 'single',
}

/** Ends with a quote that no backslash makes a part of the text. */
const CLOSED = /^"(?:[^"\\]|\\.)*"$/

const MAX_DEPTH = 32
const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * Turns a parsed document into JSON by hand, not by `toJS`: every fault is wanted with its place, no alias may
 * be followed, and no key may reach a prototype.
 */
export function readJson(root: YAMLMap, yaml: string, at: (offset: number) => Position): JsonReading {
  const json: JsonFault[] = []
  const subset: SubsetFault[] = []
  const blocks: [number, number][] = []
  const scalars: ScalarFact[] = []
  /** Where in the document the reading is. */
  const way: string[] = []
  let flows = 0

  const rangeOf = ({ range }: Ranged): [number, number] => [range?.[0] ?? 0, range?.[1] ?? 0]
  const sourceOf = (node: Ranged): string => yaml.slice(...rangeOf(node))
  const outside = (kind: SubsetFault['kind'], offset: number): void => {
    subset.push({ kind, at: at(offset) })
  }
  const lost = (kind: JsonFault['kind'], node: Ranged): void => {
    json.push({ kind, source: sourceOf(node), at: at(rangeOf(node)[0]) })
  }

  const read = (node: unknown, depth: number): Json => {
    if (node === null || node === undefined) return null
    if (isAlias(node)) {
      outside('alias', rangeOf(node)[0])
      lost('alias', node)
      return null
    }
    if (isScalar(node)) return readScalar(node, 'value')
    if (isMap(node) || isSeq(node)) return readCollection(node, depth)
    return null
  }

  const noteProperties = (node: Ranged & { anchor?: string; tag?: string }): void => {
    // Properties stand before the range, on whose first line they mostly are.
    if (node.anchor !== undefined) outside('anchor', rangeOf(node)[0])
    if (node.tag !== undefined) outside('tag', rangeOf(node)[0])
  }

  const readScalar = (node: Scalar, part: 'key' | 'value'): Json => {
    noteProperties(node)
    const [start, end] = rangeOf(node)
    scalars.push({
      keys: [...way],
      part,
      style: STYLES[node.type ?? 'PLAIN'] ?? 'block',
      flow: flows > 0,
      source: yaml.slice(start, end),
      value: node.value,
      start,
      end,
      at: at(start),
    })
    if (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE') {
      const source = yaml.slice(start, end)
      if (source.includes('\n')) outside('multiline-quotes', start)
      // The parser reads past the missing quote of `"x\"`.
      else if (node.type === 'QUOTE_DOUBLE' && !CLOSED.test(source)) outside('unclosed-quotes', start)
    } else if (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED') {
      blocks.push([start, end])
      if (/^[|>][+-]?[1-9]/.test(yaml.slice(start, start + 3))) outside('indentation-indicator', start)
    }
    const { value } = node
    if (typeof value === 'string') {
      if (LONE_SURROGATE.test(value)) lost('surrogate', node)
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) lost('not-finite', node)
      else if (!Number.isSafeInteger(value) && /^[+-]?(?:\d+|0[ox][\da-fA-F]+)$/.test(sourceOf(node))) {
        lost('imprecise', node)
      }
    } else if (typeof value !== 'boolean' && value !== null) {
      lost('unknown', node)
    }
    return value as Json
  }

  const readCollection = (node: YAMLMap | YAMLSeq, depth: number): Json => {
    noteProperties(node)
    const [start] = rangeOf(node)
    if (depth > MAX_DEPTH) {
      // Once is enough, and what lies deeper is not worth a stack.
      outside('depth', start)
      return null
    }
    if (node.flow && sourceOf(node).includes('\n')) outside('multiline-flow', start)
    if (node.flow) flows++
    const value = isSeq(node) ? readItems(node, depth) : readPairs(node, depth)
    if (node.flow) flows--
    return value
  }

  const readItems = (list: YAMLSeq, depth: number): Json =>
    list.items.map((item, index) => {
      // `[a: b]` is a mapping without braces.
      const bare = list.flow && isMap(item) && yaml[rangeOf(item)[0]] !== '{'
      if (bare) outside('flow-entry', rangeOf(item)[0])
      if (!list.flow && startsWithMark(item)) outside('explicit-key', rangeOf(item as Ranged)[0])
      way.push(String(index))
      const value = read(item, depth + 1)
      way.pop()
      return value
    })

  /** `?x` is text to YAML, and the mark of a key to the official reader. */
  const startsWithMark = (node: unknown): boolean =>
    isScalar(node) && node.type === 'PLAIN' && sourceOf(node).startsWith('?')

  const readPairs = (map: YAMLMap, depth: number): Json => {
    const object: Record<string, Json> = {}
    for (const pair of map.items) readPair(pair, map, object, depth)
    return object
  }

  const readPair = (pair: Pair, map: YAMLMap, object: Record<string, Json>, depth: number): void => {
    const key = pair.key as Scalar
    const value = pair.value as Ranged | null
    if (isAlias(key)) outside('alias', rangeOf(key)[0])
    way.push(isScalar(key) ? String(key.value) : sourceOf(key))
    if (isScalar(key)) readScalar(key, 'key')
    const [start, end] = rangeOf(key)
    const colonFollows = isQuoted(key) ? /^:/ : /^[\t ]*:/
    const laidOut = map.flow || colonFollows.test(yaml.slice(end, end + 100))
    // What belongs to the scalar before it is text.
    const from = Math.max(start - 100, isScalar(key) ? (scalars.at(-2)?.end ?? 0) : 0, 0)
    const before = yaml.slice(from, start)
    const marked = map.flow ? /[{[,]\s*\?\s+$/ : /(?:^|\n)[\t ]*(?:- +)*\?\s+$/
    const explicit = marked.test(before) || (!map.flow && startsWithMark(key))
    if (explicit) outside('explicit-key', start)
    else if (!laidOut || sourceOf(key).includes('\n')) outside('key-layout', start)
    if (map.flow) {
      const empty = value === null || sourceOf(value) === ''
      // A plain key needs a blank after its colon, a quoted one does not.
      const colon = /^[\t ]*:[\t ]/.test(yaml.slice(end)) || (key.type !== 'PLAIN' && !empty)
      if (empty && !isQuoted(value)) outside('flow-entry', start)
      else if (!colon) outside('flow-entry', start)
    }
    const item = read(value, depth + 1)
    way.pop()
    if (!isScalar(key) || typeof key.value !== 'string') return lost('key', key)
    if (key.value === '__proto__') return lost('proto', key)
    if (key.value === '<<' && key.type === 'PLAIN') outside('merge', start)
    object[key.value] = item
  }

  const value = read(root, 0)
  return { value, scalars, json, subset, blocks }
}

function isQuoted(node: unknown): boolean {
  return isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE')
}
