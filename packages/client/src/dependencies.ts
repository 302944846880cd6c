/** The servers that loaded skills asked for, and how many skills still need each. */
import type { SkillRef } from './ref.ts'
import { DependenciesRefusedError } from './errors.ts'
import { keyOf } from './ref.ts'

/** What the host is asked to connect. The labels are the host's own: a skill cannot give an address. */
export interface DependencyRequest {
  readonly skill: SkillRef
  /** Labels that are not connected yet. */
  readonly servers: readonly string[]
}

export type ConnectDependencies = (request: DependencyRequest) => boolean | Promise<boolean>

export class Dependencies {
  /** Label -> keys of the skills that need it; only of servers that were connected for a skill. */
  readonly #needed = new Map<string, Set<string>>()
  readonly #connect: ConnectDependencies | undefined
  #turn: Promise<unknown> = Promise.resolve()

  constructor(connect: ConnectDependencies | undefined) {
    this.#connect = connect
  }

  /**
   * Has those connected that are not, one skill after the other: two skills never ask for the same
   * server at once. What it holds already when it fails is for the caller to `release`.
   *
   * @throws DependenciesRefusedError
   */
  acquire(
    skill: SkillRef,
    labels: readonly string[],
    isConnected: (label: string) => boolean,
  ): Promise<void> {
    const turn = this.#turn.then(() => this.#acquire(skill, labels, isConnected))
    this.#turn = turn.catch(() => {})
    return turn
  }

  /** Gives the servers that nobody needs any more. */
  release(skill: SkillRef): string[] {
    const released: string[] = []
    for (const [label, skills] of this.#needed)
      if (skills.delete(keyOf(skill)) && skills.size === 0) {
        this.#needed.delete(label)
        released.push(label)
      }
    return released
  }

  /** A server went away by itself: there is nothing to release. */
  forget(label: string): void {
    this.#needed.delete(label)
  }

  async #acquire(
    skill: SkillRef,
    labels: readonly string[],
    isConnected: (label: string) => boolean,
  ): Promise<void> {
    const missing = labels.filter((label) => !isConnected(label) && !this.#needed.has(label))
    // Before anybody is asked: the last other skill that needs one may be unloaded meanwhile.
    for (const label of labels) this.#needed.get(label)?.add(keyOf(skill))
    if (!missing.length) return
    await this.#ask(skill, missing)
    for (const label of missing) this.#needed.set(label, new Set([keyOf(skill)]))
  }

  async #ask(skill: SkillRef, servers: readonly string[]): Promise<void> {
    let connected: boolean | undefined
    try {
      connected = await this.#connect?.({ skill, servers })
    } catch (cause) {
      throw new DependenciesRefusedError(skill, servers, { cause })
    }
    if (connected !== true) throw new DependenciesRefusedError(skill, servers)
  }
}
