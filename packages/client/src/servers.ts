/** The servers of a host, each under the label that the host gave it. */
import type { Client } from '@modelcontextprotocol/client'
import { SkillHostError } from './errors.ts'
import type { ServerOptions } from './server.ts'
import { SkillServer } from './server.ts'

export class Servers {
  readonly #byLabel = new Map<string, SkillServer>()

  /** @throws SkillHostError `invalid-label` */
  add(label: string, client: Client, options: ServerOptions): SkillServer {
    if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(label))
      throw new SkillHostError(
        'invalid-label',
        `"${label}" cannot be a label: use 1-64 letters, digits, ".", "_" or "-".`,
      )
    if (this.#byLabel.has(label))
      throw new SkillHostError(
        'invalid-label',
        `There is a server labelled "${label}" already: remove it first.`,
      )
    const server = new SkillServer(label, client, options)
    this.#byLabel.set(label, server)
    return server
  }

  /** Leaves its label free at once. What is given back is done when nothing of it is written any more. */
  remove(server: SkillServer): Promise<void> {
    if (this.#byLabel.get(server.label) === server) this.#byLabel.delete(server.label)
    return server.close()
  }

  all(): SkillServer[] {
    return [...this.#byLabel.values()]
  }

  has(label: string): boolean {
    return this.#byLabel.has(label)
  }

  /** @throws SkillHostError `unknown-server` */
  get(label: string): SkillServer {
    const server = this.#byLabel.get(label)
    if (!server)
      throw new SkillHostError(
        'unknown-server',
        `There is no server labelled "${label}". There are: ${[...this.#byLabel.keys()].join(', ') || 'none'}.`,
      )
    return server
  }
}

/** For what was begun while the server was there. */
export function removedMeanwhile({ label }: SkillServer): SkillHostError {
  return new SkillHostError('unknown-server', `The server "${label}" was removed meanwhile.`)
}
