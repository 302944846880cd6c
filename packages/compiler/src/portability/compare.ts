import type { Json, JsonObject } from '@embed-skills/runtime'
import type { ScalarFact } from '../frontmatter/json.ts'
import type { Manifest } from '../frontmatter/parse.ts'
import type { Position } from '../frontmatter/text.ts'
import type { SkillDraft } from '../read/skill.ts'
import { goYaml, pyYaml } from './lexical.ts'
import type { Seen } from './lexical.ts'
import { marksIn } from './marks.ts'
import { readers } from './readers.ts'
import { isSafe } from './safe.ts'

/** A key or value that not every reader sees alike. */
export interface Difference {
  readonly scalar: ScalarFact
  /** What the readers that differ see, with their names. */
  readonly seen: ReadonlyMap<string, readonly string[]>
}

/** Frontmatter that some reader does not read at all. */
export interface Refusal {
  readonly readers: readonly string[]
  readonly reason: string
  readonly at: Position
}

export interface Portability {
  readonly differences: readonly Difference[]
  readonly refusals: readonly Refusal[]
  /** Why the official SDK refuses the skill, if it does. */
  readonly official?: string
  /** Whether other readers had to be asked. */
  readonly compared: boolean
}

const NONE: Portability = { differences: [], refusals: [], compared: false }

/** Compares what `yaml` 1.2 gave with what other readers give. */
export async function compareReaders(
  draft: SkillDraft,
  manifest: Manifest | undefined,
): Promise<Portability> {
  if (manifest?.frontmatter === undefined || draft.skillMd === undefined || isSafe(manifest)) return NONE
  const { yaml = '', frontmatter, scalars } = manifest
  const views = new Views(scalars)
  const refusals: Refusal[] = [...marksIn(yaml, scalars, views.add)]
  for (const scalar of scalars) addLexical(scalar, views.add)

  let official: string | undefined
  for (const reader of readers) {
    const reading = await reader.read({ path: draft.path, yaml, bytes: draft.skillMd })
    if (reading === undefined) continue
    if ('value' in reading) views.compare(reader.name, frontmatter, reading.value)
    else if (reader.name === 'the official SDK') official = reading.refusal
    else refusals.push({ readers: [reader.name], reason: reading.refusal, at: { line: 2, column: 1 } })
  }
  return {
    differences: views.differences(),
    refusals,
    compared: true,
    ...(official !== undefined && { official }),
  }
}

export type AddView = (scalar: ScalarFact, reader: string, seen: string) => void

function addLexical(scalar: ScalarFact, add: AddView): void {
  if (scalar.style !== 'plain' || scalar.source.includes('\n')) return
  for (const [name, read] of [
    ['PyYAML', pyYaml],
    ['Go', goYaml],
  ] as const) {
    const seen = read(scalar.source)
    if (!isSame(seen, scalar.value)) add(scalar, name, 'as' in seen ? seen.as : JSON.stringify(seen.value))
  }
}

function isSame(seen: Seen, value: unknown): boolean {
  return 'value' in seen && seen.value === value
}

/** What readers see of each scalar, where they differ. */
class Views {
  readonly #scalars: ReadonlyMap<string, ScalarFact>
  readonly #seen = new Map<ScalarFact, Map<string, string[]>>()

  constructor(scalars: readonly ScalarFact[]) {
    this.#scalars = new Map(scalars.map((scalar) => [idOf(scalar.part, scalar.keys), scalar]))
  }

  readonly add: AddView = (scalar, reader, seen) => {
    const views = this.#seen.get(scalar) ?? new Map<string, string[]>()
    this.#seen.set(scalar, views)
    views.set(seen, [...(views.get(seen) ?? []), reader])
  }

  compare(
    reader: string,
    ours: Json | undefined,
    theirs: Json | undefined,
    way: readonly string[] = [],
  ): void {
    if (isObject(ours) && isObject(theirs)) return this.#compareFields(reader, ours, theirs, way)
    if (Array.isArray(ours) && Array.isArray(theirs) && ours.length === theirs.length) {
      ours.forEach((item, index) => this.compare(reader, item, theirs[index], [...way, String(index)]))
      return
    }
    if (JSON.stringify(ours) === JSON.stringify(theirs)) return
    const scalar = this.#scalars.get(idOf('value', way)) ?? this.#scalars.get(idOf('key', way))
    if (scalar !== undefined) this.add(scalar, reader, describe(theirs))
  }

  #compareFields(reader: string, ours: JsonObject, theirs: JsonObject, way: readonly string[]): void {
    const others = Object.keys(theirs).filter((key) => !Object.hasOwn(ours, key))
    for (const [key, value] of Object.entries(ours)) {
      if (Object.hasOwn(theirs, key)) this.compare(reader, value, theirs[key], [...way, key])
      else {
        const scalar = this.#scalars.get(idOf('key', [...way, key]))
        const other = others.shift()
        if (scalar !== undefined) {
          this.add(scalar, reader, other === undefined ? 'no such key' : `the key ${JSON.stringify(other)}`)
        }
      }
    }
  }

  differences(): Difference[] {
    return [...this.#seen]
      .map(([scalar, seen]) => ({ scalar, seen }))
      .sort((a, b) => a.scalar.start - b.scalar.start)
  }
}

function idOf(part: ScalarFact['part'], keys: readonly string[]): string {
  return JSON.stringify([part, ...keys])
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const ISO_DATE = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

function describe(value: Json | undefined): string {
  return typeof value === 'string' && ISO_DATE.test(value) ? 'a date' : JSON.stringify(value ?? null)
}
