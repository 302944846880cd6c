import type { Json, JsonObject } from '@embed-skills/runtime'

/** What a reader makes of frontmatter, or its complaint. */
export type Reading = { readonly value: Json } | { readonly refusal: string }

/** A library that hosts read frontmatter with. */
export interface Reader {
  readonly name: string
  /** Gives undefined if the library is not installed. */
  read(input: ReaderInput): Promise<Reading | undefined>
}

export interface ReaderInput {
  /** The path of the skill. */
  readonly path: string
  /** The YAML between the fences. */
  readonly yaml: string
  /** The whole `SKILL.md`. */
  readonly bytes: Uint8Array
}

/** The `yaml` package in its 1.1 mode. */
export const yaml11: Reader = {
  name: 'YAML 1.1',
  async read({ yaml }) {
    const { parseDocument } = await import('yaml')
    const document = parseDocument(yaml, { version: '1.1', prettyErrors: false, logLevel: 'silent' })
    const [error] = document.errors
    if (error) return { refusal: error.message }
    return attempt(() => document.toJS({ maxAliasCount: 0 }))
  },
}

/** js-yaml 4 with its default schema; gray-matter has version 3, whose numbers are those of YAML 1.1. */
export const jsYaml: Reader = {
  name: 'js-yaml',
  async read({ yaml }) {
    const { load } = await import('js-yaml')
    return attempt(() => load(yaml))
  },
}

/** The reader of the official SDK, of servers and hosts alike, through its own entry builder. */
export const officialSdk: Reader = {
  name: 'the official SDK',
  async read({ path, bytes }) {
    const sdk = await loadOfficial()
    if (sdk === undefined) return undefined
    try {
      const { frontmatter } = await sdk.skillEntry(path, { 'SKILL.md': bytes })
      return { value: frontmatter }
    } catch (error) {
      const { problems = [], message } = error as { problems?: { message: string }[]; message: string }
      return { refusal: problems.map((problem) => problem.message).join('; ') || message }
    }
  },
}

export const readers: readonly Reader[] = [officialSdk, jsYaml, yaml11]

interface Official {
  skillEntry(path: string, files: Record<string, Uint8Array>): Promise<{ frontmatter: JsonObject }>
}

let official: Promise<Official | undefined> | undefined

/** An optional peer of eight megabytes, loaded when a document needs it. */
function loadOfficial(): Promise<Official | undefined> {
  official ??= (import('@modelcontextprotocol/server/ext/skills') as Promise<unknown>).then(
    (module) => module as Official,
    () => undefined,
  )
  return official
}

/** The value as JSON would carry it: a date as its ISO string, and what has no form as null. */
function attempt(read: () => unknown): Reading {
  try {
    return { value: JSON.parse(JSON.stringify(read() ?? null)) as Json }
  } catch (error) {
    return { refusal: (error as Error).message.split('\n')[0]! }
  }
}
