/** Loads skills, once all that they need is there, and unloads them with all that only they needed. */
import type { Skill } from '@embed-skills/runtime'
import type { Approver } from './approver.ts'
import type { Dependencies } from './dependencies.ts'
import type { HeldSkills } from './held.ts'
import type { ResolvedOptions } from './options.ts'
import type { Reading } from './reading.ts'
import type { SkillRef } from './ref.ts'
import type { SkillServer } from './server.ts'
import type { Servers } from './servers.ts'
import type { LoadedSkill, UnloadedSkill } from './skill.ts'
import { dependenciesOf } from './approvals.ts'
import { skillContent } from './content.ts'
import { SkillHostError } from './errors.ts'
import { changedEntry } from './reading.ts'
import { canonical } from './ref.ts'
import { removedMeanwhile } from './servers.ts'

/** What loading a skill takes. */
export interface LoadingParts {
  readonly options: ResolvedOptions
  readonly servers: Servers
  readonly held: HeldSkills
  readonly reading: Reading
  readonly approver: Approver
  readonly dependencies: Dependencies
}

export class Loading {
  readonly #parts: LoadingParts

  constructor(parts: LoadingParts) {
    this.#parts = parts
  }

  async load(ref: SkillRef, signal: AbortSignal | undefined): Promise<LoadedSkill> {
    const server = this.#parts.servers.get(ref.server)
    const entry = await server.entry(ref.uri, signal && { signal })
    try {
      return await this.#load(server, entry, signal)
    } catch (error) {
      const current = await changedEntry(server, entry, error, signal)
      if (!current) throw error
      return this.#load(server, current, signal)
    }
  }

  async unload(ref: SkillRef): Promise<UnloadedSkill> {
    const held = this.#parts.held.take(ref)
    if (!held)
      throw new SkillHostError(
        'not-loaded',
        `The skill ${ref.uri} of the server "${ref.server}" is not loaded.`,
      )
    await this.#parts.approver.endOf(held.server, held.entry)
    return this.#released(ref)
  }

  /** Ends all that a server is part of. What fails does not keep the rest from being done. */
  async remove(server: SkillServer): Promise<UnloadedSkill[]> {
    const { servers, held, dependencies, options } = this.#parts
    const { label, identity } = server
    const closed = servers.remove(server)
    dependencies.forget(label)
    const refs = held.of(server).map(({ uri }) => ({ server: label, uri }))
    for (const ref of refs) held.take(ref)
    const done = await settleInOrder<UnloadedSkill | undefined>([
      ...refs.map((ref) => () => this.#released(ref)),
      async () => {
        await closed
        if (identity !== undefined) await options.cache?.purge({ server: label, identity })
        return undefined
      },
    ])
    return done.filter((unloaded) => unloaded !== undefined)
  }

  async #load(server: SkillServer, entry: Skill, signal: AbortSignal | undefined): Promise<LoadedSkill> {
    const { servers, held, reading, approver, dependencies } = this.#parts
    const ref = { server: server.label, uri: canonical(entry.uri) }
    const approved = await approver.ensure(server, entry)
    if (server.closed) throw removedMeanwhile(server)
    const file = await reading.entry(server, entry, 'SKILL.md', signal)
    try {
      await dependencies.acquire(ref, dependenciesOf(entry.frontmatter), (label) => servers.has(label))
      if (server.closed) throw removedMeanwhile(server)
    } catch (error) {
      // Held already: by an earlier load, or, with its label used again, from another server.
      if (!held.has(ref)) await this.#letGo(ref)
      throw error
    }
    held.add(ref, { server, entry })
    const { text = '', body = '', verified } = file
    const content = skillContent(ref, entry, body)
    return { ...server.describe(entry), approved, text, body, verified, content }
  }

  /** What was held for a skill that was not loaded after all. */
  async #letGo(skill: SkillRef): Promise<void> {
    const { dependencies, options } = this.#parts
    const releasedServers = dependencies.release(skill)
    if (releasedServers.length) await options.onSkillUnloaded?.({ skill, releasedServers })
  }

  async #released({ server, uri }: SkillRef): Promise<UnloadedSkill> {
    const skill = { server, uri: canonical(uri) }
    const unloaded = { skill, releasedServers: this.#parts.dependencies.release(skill) }
    await this.#parts.options.onSkillUnloaded?.(unloaded)
    return unloaded
  }
}

/** Does all of it, and only then throws what was thrown first. */
async function settleInOrder<T>(works: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = []
  const failures: unknown[] = []
  for (const work of works)
    try {
      results.push(await work())
    } catch (error) {
      failures.push(error)
    }
  if (failures.length) throw failures[0]
  return results
}
