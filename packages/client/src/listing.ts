/** One walk over all pages of a server's listing, with an end whatever the server does. */
import type { Skill } from '@embed-skills/runtime'
import type { InvalidSkillEntry, SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { refusedUri } from './limits.ts'

/** What a server listed. */
export interface Listing {
  readonly skills: readonly Skill[]
  readonly invalid: readonly InvalidSkillEntry[]
  /** For how long the server says that it holds, in milliseconds. */
  readonly ttlMs?: number
}

/** Times the patience with one page is the patience with all of them: pages may come slowly without end. */
const PATIENCE = 4

/**
 * @param timeout How long one page may take, in milliseconds.
 * @param end Ends it early.
 * @throws What is wrong with the server, or its slowness.
 */
export async function fetchListing(
  reader: SkillsClient,
  timeout: number,
  end: AbortSignal,
): Promise<Listing> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeout * PATIENCE)
  try {
    const signal = AbortSignal.any([end, late.signal])
    return acceptable((await reader.list({}, { timeout, signal })) as Listing)
  } catch (error) {
    if (!late.signal.aborted) throw error
    throw new Error(`The listing took longer than ${timeout * PATIENCE} ms`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** The official client has checked the entries; we have limits of our own, and count what passed. */
export function acceptable({ skills, invalid, ...rest }: Listing): Listing {
  const refused = skills.map((skill, index) => ({ uri: skill.uri, index, reason: refusedUri(skill) }))
  return {
    ...rest,
    skills: skills.filter((_, index) => refused[index]!.reason === undefined),
    invalid: [
      ...invalid,
      ...refused.flatMap(({ reason, ...entry }) => (reason === undefined ? [] : [{ ...entry, reason }])),
    ],
  }
}
