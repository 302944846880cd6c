import type { Logger } from '../catalog.ts'
import type { RequestContext, SkillSource } from '../source.ts'
import type { ResourceContents, Skill } from '../wire.ts'
import { begin, stateOf } from '../computed/state.ts'
import { fromBase64, toBytes } from '../encoding/bytes.ts'
import { elsewhere } from './elsewhere.ts'

/** A skill that is declared stable and is not. */
export class UnstableSkillError extends Error {
  /** The URI of the file that differs. */
  readonly uri: string
  /** The first byte that differs, from 0; -1 if only one of two renders has the file. */
  readonly offset: number

  constructor(uri: string, offset: number, message: string) {
    super(message)
    this.name = 'UnstableSkillError'
    this.uri = uri
    this.offset = offset
  }
}

/**
 * For the dev server: a source whose stable skills are rendered twice at every `skills/get`, and when they
 * are first listed, and log the first byte that differs. While it renders the second time, the whole
 * process has another clock.
 *
 * @example
 * export default serveSkills(import.meta.env.DEV ? checkStable(skills) : skills, info)
 */
export function checkStable(source: SkillSource): SkillSource {
  const seen = new Set<string>()

  async function check(skill: Skill, context: RequestContext): Promise<void> {
    seen.add(skill.uri)
    if (skill.resources === 'dynamic') return
    await refuseUnstable(source, skill, context).catch((error: Error) => {
      stateOf(context).logger.error(`embed-skills: ${error.message}`)
    })
  }

  return {
    ...source,
    async list(after, limit, context) {
      const page = await source.list(after, limit, context)
      for (const skill of page.items) if (!seen.has(skill.uri)) await check(skill, context)
      return page
    },
    async get(uri, context) {
      const skill = await source.get(uri, context)
      if (skill) await check(skill, context)
      return skill
    },
  }
}

/** What differs is found out here, and need not be said twice. */
const DIFFERENCES_APART: Logger = {
  warn: () => {},
  error: (message, cause) => cause !== undefined && console.error(message, cause),
}

/** @throws UnstableSkillError if a second render differs from the entry, or a file from itself. */
export async function refuseUnstable(
  source: SkillSource,
  { uri, resources }: Skill,
  context: RequestContext,
): Promise<void> {
  const uris = (resources as Exclude<Skill['resources'], 'dynamic'>).map((file) => file.uri)
  const quiet = begin(context, DIFFERENCES_APART)
  const first = await readAll(source, uris, quiet)
  const second = await elsewhere(async () => ({
    entry: await source.get(uri, begin(context, DIFFERENCES_APART)),
    files: await readAll(source, uris, begin(context, DIFFERENCES_APART)),
  }))
  const again = second.entry?.resources
  if (again === 'dynamic' || !again)
    throw new UnstableSkillError(uri, -1, `${uri} is stable in one render and not in another`)
  const extra = again.find((file) => !uris.includes(file.uri))
  if (extra) throw new UnstableSkillError(extra.uri, -1, `${extra.uri} is in one render and not in another`)
  for (const [index, file] of uris.entries()) compare(file, first[index], second.files[index])
}

async function readAll(
  source: SkillSource,
  uris: readonly string[],
  context: RequestContext,
): Promise<(Uint8Array | undefined)[]> {
  return Promise.all(
    uris.map(async (uri) => {
      const found = await source.read(uri, context)
      return found && bytesOf(found)
    }),
  )
}

function bytesOf(found: ResourceContents): Uint8Array {
  return 'text' in found ? toBytes(found.text).bytes : fromBase64(found.blob)
}

function compare(uri: string, a: Uint8Array | undefined, b: Uint8Array | undefined): void {
  if (!a || !b) {
    if (a !== b) throw new UnstableSkillError(uri, -1, `${uri} is in one render and not in another`)
    return
  }
  let offset = 0
  while (offset < a.length && a[offset] === b[offset]) offset++
  if (offset === a.length && offset === b.length) return
  throw new UnstableSkillError(
    uri,
    offset,
    `${uri} is declared stable, but on another day or in another time zone it differs from byte ${offset} on: ${excerpt(a, offset)} against ${excerpt(b, offset)}`,
  )
}

function excerpt(bytes: Uint8Array, offset: number): string {
  return JSON.stringify(new TextDecoder().decode(bytes.subarray(Math.max(0, offset - 20), offset + 20)))
}
