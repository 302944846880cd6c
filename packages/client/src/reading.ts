/** Which file of which skill may be read from which server. */
import type { Skill } from '@embed-skills/runtime'
import { SkillVerificationError } from '@modelcontextprotocol/client/ext/skills'
import type { HeldSkills } from './held.ts'
import type { ResolvedOptions } from './options.ts'
import type { VerifiedFile } from './reader.ts'
import type { SkillRef } from './ref.ts'
import type { SkillServer } from './server.ts'
import type { Servers } from './servers.ts'
import type { SkillFile } from './skill.ts'
import { changesBetween } from './approvals.ts'
import { SkillChangedError, SkillHostError } from './errors.ts'
import { readSkillFile } from './reader.ts'

export class Reading {
  readonly #options: ResolvedOptions
  readonly #servers: Servers
  readonly #held: HeldSkills

  constructor(options: ResolvedOptions, servers: Servers, held: HeldSkills) {
    this.#options = options
    this.#servers = servers
    this.#held = held
  }

  /** A file of the entry that a skill was loaded by, else of the one that its server has. */
  async file(ref: SkillRef, path: string, signal: AbortSignal | undefined): Promise<SkillFile> {
    const server = this.#servers.get(ref.server)
    const entry = await this.#held.entry(server, ref, signal)
    try {
      return await this.entry(server, entry, path, signal)
    } catch (error) {
      if (await changedEntry(server, entry, error, signal))
        throw new SkillChangedError({ server: ref.server, uri: ref.uri }, { cause: error })
      throw error
    }
  }

  /** A file that another server lists, if the user says so. */
  async fileFrom(
    skill: SkillRef,
    label: string,
    fileUri: string,
    signal: AbortSignal | undefined,
  ): Promise<SkillFile> {
    const server = this.#servers.get(label)
    const holder = server.holderOf(fileUri)
    if (!holder || !(await this.#options.onCrossServerRead?.({ skill, server: label, fileUri })))
      throw new SkillHostError(
        'cross-server',
        `The skill ${skill.uri} of the server "${skill.server}" may not read ${fileUri} of the server "${label}".`,
      )
    return this.entry(server, holder, fileUri, signal)
  }

  /** A file of this very entry. */
  entry(
    server: SkillServer,
    entry: Skill,
    path: string,
    signal: AbortSignal | undefined,
  ): Promise<VerifiedFile> {
    const { limits, cache, parseFrontmatter, dynamic } = this.#options
    if (entry.resources === 'dynamic' && dynamic === 'refuse')
      throw new SkillHostError(
        'dynamic-refused',
        `${entry.uri} has no digests, and this host refuses such skills.`,
      )
    return readSkillFile(server, entry, path, { limits, cache, parseFrontmatter, signal })
  }
}

/** After a failed check: the server's present entry, if it is another one. */
export async function changedEntry(
  server: SkillServer,
  held: Skill,
  error: unknown,
  signal: AbortSignal | undefined,
): Promise<Skill | undefined> {
  if (!(error instanceof SkillVerificationError) || held.resources === 'dynamic') return undefined
  const current = await server.fetchEntry(held.uri, signal && { signal }).catch(() => undefined)
  return current && changesBetween(held, current) && current
}
