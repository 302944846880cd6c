import { LineCounter, isCollection, isMap, isScalar, parseDocument } from 'yaml'
import type { Document, Node, ParsedNode, YAMLMap } from 'yaml'
import type { JsonObject } from '@embed-skills/runtime'
import { splitFence } from './fence.ts'
import type { FenceFault } from './fence.ts'
import { readJson } from './json.ts'
import type { JsonFault, ScalarFact, SubsetFault } from './json.ts'
import { layoutFaults } from './subset.ts'
import { decode } from './text.ts'
import type { Decoded, Position } from './text.ts'

/** What YAML itself objects to. */
export interface SyntaxFault {
  /** The code of the `yaml` package: `DUPLICATE_KEY`. */
  readonly code: string
  readonly message: string
  readonly at: Position
}

/** A `SKILL.md`, read as far as it can be. Every fault is a fact: the rules make messages of them. */
export interface Manifest {
  /** The text, if the bytes are UTF-8. */
  readonly text?: string
  /** The YAML between the fences, if there are fences. Its first line is the file's second. */
  readonly yaml?: string
  readonly encoding?: Extract<Decoded, { encoding: string }>
  readonly fence?: { readonly fault: FenceFault; readonly at: Position }
  readonly syntax: readonly SyntaxFault[]
  /** What stands there if it is no mapping. */
  readonly shape?: { readonly found: 'nothing' | 'a list' | 'a single value'; readonly at: Position }
  readonly json: readonly JsonFault[]
  readonly subset: readonly SubsetFault[]
  /** Every key and value, in the order in which they stand. */
  readonly scalars: readonly ScalarFact[]
  /** The frontmatter, if it is a mapping that JSON can hold. */
  readonly frontmatter?: JsonObject
  /** Where a key, or the value below it, stands in the file; undefined if there is none. */
  locate(keys: readonly string[], part: 'key' | 'value'): Position | undefined
}

const NOTHING = { syntax: [], json: [], subset: [], scalars: [], locate: () => undefined } as const

/** Reads the frontmatter of a `SKILL.md` as YAML 1.2, core schema. Never throws. */
export function readManifest(bytes: Uint8Array): Manifest {
  const decoded = decode(bytes)
  if ('encoding' in decoded) return { ...NOTHING, encoding: decoded }
  const { text } = decoded
  const fenced = splitFence(text)
  if ('fault' in fenced) return { ...NOTHING, text, fence: fenced }
  return { ...NOTHING, text, yaml: fenced.yaml, ...readYaml(fenced.yaml) }
}

function readYaml(yaml: string): Partial<Manifest> {
  const lines = new LineCounter()
  // The opening fence is the file's first line.
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(Math.min(offset, yaml.length))
    return { line: line + 1, column: col }
  }
  let document: Document.Parsed
  try {
    document = parseDocument(yaml, {
      version: '1.2',
      schema: 'core',
      uniqueKeys: true,
      merge: false,
      prettyErrors: false,
      logLevel: 'silent',
      lineCounter: lines,
    })
  } catch (error) {
    // The parser recurses, so that thousands of brackets exhaust its stack.
    return { syntax: [{ code: 'THROWN', message: String(error), at: { line: 2, column: 1 } }] }
  }
  const syntax = document.errors
    .map(({ code, message, pos }) => ({ code, message, at: at(pos[0]) }))
    .sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column)
  if (syntax.length > 0) return { syntax }

  const { contents } = document
  if (!isMap(contents)) return { shape: { found: shapeOf(contents), at: at(contents?.range[0] ?? 0) } }
  const read = readJson(contents, yaml, at)
  return {
    json: read.json,
    scalars: read.scalars,
    subset: [...read.subset, ...layoutFaults(yaml, contents, read.blocks, at)],
    ...(read.json.length === 0 && { frontmatter: read.value as JsonObject }),
    locate: (keys, part) => locate(contents, keys, part, at),
  }
}

function shapeOf(contents: ParsedNode | null): 'nothing' | 'a list' | 'a single value' {
  if (contents === null || (isScalar(contents) && contents.value === null)) return 'nothing'
  return isCollection(contents) ? 'a list' : 'a single value'
}

function locate(
  root: YAMLMap.Parsed,
  keys: readonly string[],
  part: 'key' | 'value',
  at: (offset: number) => Position,
): Position | undefined {
  let node: unknown = root
  let key: Node | undefined
  for (const name of keys) {
    if (!isMap<Node, Node | null>(node)) return undefined
    const pair = node.items.find((item) => isScalar(item.key) && item.key.value === name)
    if (pair === undefined) return undefined
    key = pair.key
    node = pair.value
  }
  const value = node as Node | null
  // An empty value has a range, but nothing to point at: the key stands for it.
  const empty = !value?.range || value.range[0] === value.range[1]
  const range = part === 'value' && !empty ? value.range : key?.range
  return range ? at(range[0]) : undefined
}
