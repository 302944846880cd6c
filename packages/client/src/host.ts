import type { Client } from '@modelcontextprotocol/client'
import type { ApprovalState } from './approvals.ts'
import type { Collision } from './collisions.ts'
import type { Contexts, ContextsOptions } from './contexts.ts'
import type { ResolvedOptions, SkillHostOptions } from './options.ts'
import type { SkillRef } from './ref.ts'
import type { ServerStatus } from './server.ts'
import type {
  ActingSkill,
  DirectoryEntry,
  HostSkill,
  LoadedSkill,
  SkillFile,
  UnloadedSkill,
} from './skill.ts'
import { allowedToolsOf } from './approvals.ts'
import { Approver } from './approver.ts'
import { findCollisions } from './collisions.ts'
import { writeContexts } from './contexts.ts'
import { Dependencies } from './dependencies.ts'
import { listSkillDirectory } from './directory.ts'
import { HeldSkills } from './held.ts'
import { Loading } from './loading.ts'
import { resolveOptions } from './options.ts'
import { Reading } from './reading.ts'
import { findSkill } from './find.ts'
import { Servers } from './servers.ts'

/** For requests to a server. */
export interface CallOptions {
  readonly signal?: AbortSignal
}

/**
 * Reads a file of a skill as it is listed, whatever it was loaded as: for downloads, which belong to no
 * conversation. Not part of the package's interface.
 */
export let readAsListed: (
  host: SkillHost,
  skill: HostSkill,
  path: string,
  signal: AbortSignal | undefined,
) => Promise<SkillFile>

/**
 * The skills of many servers: listed, verified, approved, loaded and unloaded, each under the label that
 * the host gave its server. Nothing of a skill is fetched before it is needed.
 *
 * @example
 * const host = new SkillHost()
 * await host.addServer('acme', client, { identity: 'https://acme.example/mcp' })
 * const { text } = await host.contexts()
 * const refunds = await host.load(await host.find('acme', 'refunds'))
 */
export class SkillHost {
  readonly #options: ResolvedOptions
  readonly #servers = new Servers()
  readonly #held = new HeldSkills()
  readonly #approver: Approver
  readonly #reading: Reading
  readonly #loading: Loading

  static {
    readAsListed = (host, { server, uri, frontmatter, resources }, path, signal) =>
      host.#reading.entry(host.#servers.get(server), { uri, frontmatter, resources }, path, signal)
  }

  constructor(options: SkillHostOptions = {}) {
    const resolved = resolveOptions(options)
    this.#options = resolved
    this.#approver = new Approver(resolved)
    this.#reading = new Reading(resolved, this.#servers, this.#held)
    this.#loading = new Loading({
      options: resolved,
      servers: this.#servers,
      held: this.#held,
      reading: this.#reading,
      approver: this.#approver,
      dependencies: new Dependencies(resolved.onDependenciesRequired),
    })
  }

  /**
   * Lists the skills of a connected client under a label of the host's choosing. A server that cannot be
   * listed is added all the same: see `error` of what is given back.
   *
   * @param label 1-64 letters, digits, `.`, `_` or `-`; never what the server calls itself.
   * @param options.identity What the label stands for: the server's URL or command, with the account where
   *   skills depend on it. Without one, approvals end with the connection and nothing is cached.
   * @throws SkillHostError `invalid-label` if the label is taken, or written in another way.
   * @throws What the signal says, if it ends the listing: the server is not added then.
   */
  async addServer(
    label: string,
    client: Client,
    { identity, signal }: CallOptions & { readonly identity?: string } = {},
  ): Promise<ServerStatus> {
    const { onSkillsChanged } = this.#options
    const server = this.#servers.add(label, client, {
      ...this.#options,
      identity,
      onChanged: () => onSkillsChanged?.(label),
      // Looking is enough: an approval of other files is void from here on, even if they come back.
      onEntry: async (entry) => void (await this.#approver.state(server, entry)),
    })
    try {
      await server.refresh(withSignal(signal))
    } catch (error) {
      void this.#servers.remove(server)
      throw error
    }
    return server.status
  }

  /** Unloads a server's skills and forgets it, its part of the cache included. Approvals stay. */
  async removeServer(label: string): Promise<UnloadedSkill[]> {
    return this.#loading.remove(this.#servers.get(label))
  }

  /** How each server is doing. */
  servers(): ServerStatus[] {
    return this.#servers.all().map(({ status }) => status)
  }

  /** Lists a server anew, whatever its listing says of how long it lasts. */
  async refresh(label: string, { signal }: CallOptions = {}): Promise<ServerStatus> {
    const server = this.#servers.get(label)
    server.expire()
    await server.refresh(withSignal(signal))
    return server.status
  }

  /** What a label stands for, as `addServer` was told. */
  identityOf(label: string): string | undefined {
    return this.#servers.get(label).identity
  }

  /** Every listed skill, with listings that have expired, or have been said to have changed, asked for anew. */
  async skills({ signal }: CallOptions = {}): Promise<HostSkill[]> {
    const servers = this.#servers.all()
    await Promise.all(servers.map((server) => server.refresh(withSignal(signal))))
    return servers.flatMap(({ skills }) => skills)
  }

  /** Skills that share a name, to be shown to the user. All of them stay reachable under their labels. */
  collisions(): Collision[] {
    const skills = this.#servers.all().flatMap(({ skills }) => skills)
    return findCollisions(skills, this.#options.localSkills)
  }

  /**
   * What to tell a model about the skills that it can load, for a system prompt.
   * Servers take turns, so that none can crowd out another where there is no room for all.
   */
  async contexts(options: ContextsOptions & CallOptions = {}): Promise<Contexts> {
    return writeContexts(await this.skills(options), options)
  }

  /**
   * A skill of one server by its name or URI; by its name also while it is loaded but no longer listed.
   * Only a name that is unknown has a listing that has expired asked for again.
   *
   * @throws SkillHostError `unknown-server`, `unknown-skill` or `ambiguous-name`
   */
  async find(server: string, nameOrUri: string, { signal }: CallOptions = {}): Promise<SkillRef> {
    return findSkill(this.#servers.get(server), nameOrUri, this.#held, signal)
  }

  /** What is known of a skill, listed or not, without loading it. */
  async describe(ref: SkillRef, { signal }: CallOptions = {}): Promise<HostSkill> {
    const server = this.#servers.get(ref.server)
    return server.describe(await server.entry(ref.uri, withSignal(signal)))
  }

  /**
   * Reads and verifies a skill's `SKILL.md`; from here on the host is acting on the skill.
   *
   * @throws SkillVerificationError if what is served is not what the entry says.
   * @throws ApprovalRequiredError if the user has to approve it first, and did not.
   * @throws DependenciesRefusedError if servers that it needs were not connected.
   * @throws SkillHostError `over-limit`, `dynamic-refused` or `unknown-server`
   */
  async load(ref: SkillRef, { signal }: CallOptions = {}): Promise<LoadedSkill> {
    return this.#loading.load(ref, signal)
  }

  /** Ends the acting on a skill. Take its text out of the conversation too: see `scrubHistory`. */
  async unload(ref: SkillRef): Promise<UnloadedSkill> {
    return this.#loading.unload(ref)
  }

  /** The skills that are loaded. While there are any, code runs only for those that are approved. */
  async actingOn(): Promise<ActingSkill[]> {
    return Promise.all(
      this.#held.all().map(async ({ server, entry }) => {
        const current = server.known(entry.uri) ?? entry
        const states = [
          await this.#approver.state(server, entry),
          await this.#approver.state(server, current),
        ]
        return { ...server.describe(entry), approved: states.every(({ state }) => state === 'approved') }
      }),
    )
  }

  /** Whether a skill is loaded. */
  isLoaded(ref: SkillRef): boolean {
    return this.#held.has(ref)
  }

  /** Whether any skill is loaded. */
  get acting(): boolean {
    return this.#held.size > 0
  }

  /**
   * Reads one file of a skill from its own server: of the entry that it was loaded by, else of the listed one.
   *
   * @param path Below the skill, as its manifest or its `SKILL.md` spells it; a URI for another server's.
   * @param options.from The label of another server to read from. The user is asked each time.
   * @throws SkillVerificationError if the entry does not list the file, or it is not what the entry says.
   * @throws SkillChangedError if the server has another version of the skill by now.
   * @throws SkillHostError `cross-server`, `over-limit`, `dynamic-refused` or `unknown-server`
   */
  async readFile(
    ref: SkillRef,
    path: string,
    { from, signal }: CallOptions & { readonly from?: string } = {},
  ): Promise<SkillFile> {
    return from === undefined || from === ref.server
      ? this.#reading.file(ref, path, signal)
      : this.#reading.fileFrom(ref, from, path, signal)
  }

  /** The direct children of a folder of a skill; `''` is its root. */
  async listDirectory(ref: SkillRef, path = '', { signal }: CallOptions = {}): Promise<DirectoryEntry[]> {
    const server = this.#servers.get(ref.server)
    return listSkillDirectory(server, await this.#held.entry(server, ref, signal), path, signal)
  }

  /** Whether a skill is approved as its server has it now. */
  async approval(ref: SkillRef, { signal }: CallOptions = {}): Promise<ApprovalState> {
    const server = this.#servers.get(ref.server)
    return this.#approver.state(server, await server.entry(ref.uri, withSignal(signal)))
  }

  /**
   * Records that the user approves a skill. Give the skill that the user was shown, as `skills()` or a
   * request had it: what is approved is exactly its files, whatever the server lists by now.
   */
  async approve(
    skill: SkillRef | HostSkill,
    { allowedTools = false, signal }: CallOptions & { readonly allowedTools?: boolean } = {},
  ): Promise<void> {
    const server = this.#servers.get(skill.server)
    const shown = 'resources' in skill ? skill : await server.entry(skill.uri, withSignal(signal))
    await this.#approver.approve(server, shown, allowedTools)
  }

  /** Takes an approval back. */
  async revoke(ref: SkillRef): Promise<void> {
    const server = this.#servers.get(ref.server)
    await this.#approver.revoke(server, ref.uri)
  }

  /** The tools that a skill may use unasked: none but those that the user approved for it. */
  async allowedTools(ref: SkillRef): Promise<string[]> {
    const server = this.#servers.get(ref.server)
    const entry = await this.#held.entry(server, ref, undefined)
    const approval = await this.#approver.state(server, entry)
    return approval.state === 'approved' && approval.allowedTools ? allowedToolsOf(entry.frontmatter) : []
  }
}

function withSignal(signal: AbortSignal | undefined): { signal: AbortSignal } | undefined {
  return signal && { signal }
}
