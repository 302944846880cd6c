/** The skills that a host acts on, each with the entry that it was loaded by. */
import type { Skill } from '@embed-skills/runtime'
import type { SkillRef } from './ref.ts'
import type { SkillServer } from './server.ts'
import { keyOf } from './ref.ts'

export interface Held {
  readonly server: SkillServer
  readonly entry: Skill
}

export class HeldSkills {
  readonly #held = new Map<string, Held>()

  get size(): number {
    return this.#held.size
  }

  has(ref: SkillRef): boolean {
    return this.#held.has(keyOf(ref))
  }

  add(ref: SkillRef, held: Held): void {
    this.#held.set(keyOf(ref), held)
  }

  all(): Held[] {
    return [...this.#held.values()]
  }

  /** The entries of one server's loaded skills. */
  of(server: SkillServer): Skill[] {
    return this.all()
      .filter((held) => held.server === server)
      .map(({ entry }) => entry)
  }

  /** Gives what was held, if anything was. */
  take(ref: SkillRef): Held | undefined {
    const held = this.#held.get(keyOf(ref))
    this.#held.delete(keyOf(ref))
    return held
  }

  /** The entry that a skill was loaded by, as long as it is loaded; else the one that its server has. */
  async entry(server: SkillServer, ref: SkillRef, signal: AbortSignal | undefined): Promise<Skill> {
    const held = this.#held.get(keyOf(ref))
    return held?.server === server ? held.entry : server.entry(ref.uri, signal && { signal })
  }
}
