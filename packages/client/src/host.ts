import type { Skill } from '@embed-skills/runtime'
import type { Client } from '@modelcontextprotocol/client'
import { SkillVerificationError } from '@modelcontextprotocol/client/ext/skills'
import type { ApprovalState } from './approvals.ts'
import type { Collision } from './collisions.ts'
import type { Contexts, ContextsOptions } from './contexts.ts'
import type { ResolvedOptions, SkillHostOptions } from './options.ts'
import type { VerifiedFile } from './reader.ts'
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
import { allowedToolsOf, approvalOf, compareFiles, dependenciesOf } from './approvals.ts'
import { Approver } from './approver.ts'
import { findCollisions } from './collisions.ts'
import { skillContent } from './content.ts'
import { writeContexts } from './contexts.ts'
import { Dependencies } from './dependencies.ts'
import { listSkillDirectory } from './directory.ts'
import { SkillChangedError, SkillHostError } from './errors.ts'
import { resolveOptions } from './options.ts'
import { readSkillFile } from './reader.ts'
import { canonical, keyOf } from './ref.ts'
import { SkillServer } from './server.ts'

/** For requests to a server. */
export interface CallOptions {
  readonly signal?: AbortSignal
}

/** A skill in the model's context, with the entry that it was loaded by. */
interface Held {
  readonly server: SkillServer
  readonly entry: Skill
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
  readonly #servers = new Map<string, SkillServer>()
  readonly #held = new Map<string, Held>()
  readonly #approver: Approver
  readonly #dependencies: Dependencies

  static {
    readAsListed = (host, { server, uri, frontmatter, resources }, path, signal) =>
      host.#read(host.#server(server), { uri, frontmatter, resources }, path, signal)
  }

  constructor(options: SkillHostOptions = {}) {
    this.#options = resolveOptions(options)
    this.#approver = new Approver(this.#options)
    this.#dependencies = new Dependencies(options.onDependenciesRequired)
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
    if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(label))
      throw new SkillHostError(
        'invalid-label',
        `"${label}" cannot be a label: use 1-64 letters, digits, ".", "_" or "-".`,
      )
    if (this.#servers.has(label))
      throw new SkillHostError(
        'invalid-label',
        `There is a server labelled "${label}" already: remove it first.`,
      )
    const { defaultTtlMs, listTimeoutMs, parseFrontmatter, now, onSkillsChanged } = this.#options
    const server: SkillServer = new SkillServer(label, client, {
      identity,
      parseFrontmatter,
      defaultTtlMs,
      listTimeoutMs,
      now,
      onChanged: () => onSkillsChanged?.(label),
      // Looking is enough: an approval of other files is void from here on, even if they come back.
      onEntry: async (entry) => void (await this.#approver.state(server, entry)),
    })
    this.#servers.set(label, server)
    try {
      await server.refresh(withSignal(signal))
    } catch (error) {
      void server.close()
      if (this.#servers.get(label) === server) this.#servers.delete(label)
      throw error
    }
    return server.status
  }

  /** Unloads a server's skills and forgets it, its part of the cache included. Approvals stay. */
  async removeServer(label: string): Promise<UnloadedSkill[]> {
    const server = this.#server(label)
    const closed = server.close()
    this.#servers.delete(label)
    this.#dependencies.forget(label)
    const held = [...this.#held].filter(([, { server: holder }]) => holder === server)
    for (const [key] of held) this.#held.delete(key)
    const failures: unknown[] = []
    const unloaded: UnloadedSkill[] = []
    for (const [, { entry }] of held)
      try {
        unloaded.push(await this.#unloaded({ server: label, uri: entry.uri }))
      } catch (error) {
        failures.push(error)
      }
    await closed
    const { identity } = server
    if (identity !== undefined)
      try {
        await this.#options.cache?.purge({ server: label, identity })
      } catch (error) {
        failures.push(error)
      }
    if (failures.length) throw failures[0]
    return unloaded
  }

  /** How each server is doing. */
  servers(): ServerStatus[] {
    return [...this.#servers.values()].map(({ status }) => status)
  }

  /** Lists a server anew, whatever its listing says of how long it lasts. */
  async refresh(label: string, { signal }: CallOptions = {}): Promise<ServerStatus> {
    const server = this.#server(label)
    server.expire()
    await server.refresh(withSignal(signal))
    return server.status
  }

  /** What a label stands for, as `addServer` was told. */
  identityOf(label: string): string | undefined {
    return this.#server(label).identity
  }

  /** Every listed skill, with listings that have expired, or have been said to have changed, asked for anew. */
  async skills({ signal }: CallOptions = {}): Promise<HostSkill[]> {
    const servers = [...this.#servers.values()]
    await Promise.all(servers.map((server) => server.refresh(withSignal(signal))))
    return servers.flatMap(({ skills }) => skills)
  }

  /** Skills that share a name, to be shown to the user. All of them stay reachable under their labels. */
  collisions(): Collision[] {
    const skills = [...this.#servers.values()].flatMap(({ skills }) => skills)
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
    const holder = this.#server(server)
    const find = (): SkillRef => ({ server, uri: holder.find(nameOrUri, this.#loadedOf(holder)) })
    try {
      return find()
    } catch (error) {
      if (!(error instanceof SkillHostError && error.code === 'unknown-skill')) throw error
      await holder.refresh(withSignal(signal))
      return find()
    }
  }

  /** What is known of a skill, listed or not, without loading it. */
  async describe(ref: SkillRef, { signal }: CallOptions = {}): Promise<HostSkill> {
    const server = this.#server(ref.server)
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
    const server = this.#server(ref.server)
    const entry = await server.entry(ref.uri, withSignal(signal))
    try {
      return await this.#load(server, entry, signal)
    } catch (error) {
      const current = await this.#changedEntry(server, entry, error, signal)
      if (!current) throw error
      return this.#load(server, current, signal)
    }
  }

  /** Ends the acting on a skill. Take its text out of the conversation too: see `scrubHistory`. */
  async unload(ref: SkillRef): Promise<UnloadedSkill> {
    const held = this.#held.get(keyOf(ref))
    if (!held)
      throw new SkillHostError(
        'not-loaded',
        `The skill ${ref.uri} of the server "${ref.server}" is not loaded.`,
      )
    this.#held.delete(keyOf(ref))
    await this.#approver.endOf(held.server, held.entry)
    return this.#unloaded(ref)
  }

  /** The skills that are loaded. While there are any, code runs only for those that are approved. */
  async actingOn(): Promise<ActingSkill[]> {
    return Promise.all(
      [...this.#held.values()].map(async ({ server, entry }) => {
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
    return this.#held.has(keyOf(ref))
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
    const server = this.#server(ref.server)
    if (from !== undefined && from !== ref.server) return this.#readFrom(ref, from, path, signal)
    const entry = await this.#entry(server, ref, signal)
    try {
      return await this.#read(server, entry, path, signal)
    } catch (error) {
      if (await this.#changedEntry(server, entry, error, signal))
        throw new SkillChangedError({ server: ref.server, uri: ref.uri }, { cause: error })
      throw error
    }
  }

  /** The direct children of a folder of a skill; `''` is its root. */
  async listDirectory(ref: SkillRef, path = '', { signal }: CallOptions = {}): Promise<DirectoryEntry[]> {
    const server = this.#server(ref.server)
    return listSkillDirectory(server, await this.#entry(server, ref, signal), path, signal)
  }

  /** Whether a skill is approved as its server has it now. */
  async approval(ref: SkillRef, { signal }: CallOptions = {}): Promise<ApprovalState> {
    const server = this.#server(ref.server)
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
    const server = this.#server(skill.server)
    const shown = 'resources' in skill ? skill : await server.entry(skill.uri, withSignal(signal))
    await this.#approver.approve(server, shown, allowedTools)
  }

  /** Takes an approval back. */
  async revoke(ref: SkillRef): Promise<void> {
    const server = this.#server(ref.server)
    await this.#approver.revoke(server, await server.entry(ref.uri))
  }

  /** The tools that a skill may use unasked: none but those that the user approved for it. */
  async allowedTools(ref: SkillRef): Promise<string[]> {
    const server = this.#server(ref.server)
    const entry = await this.#entry(server, ref, undefined)
    const approval = await this.#approver.state(server, entry)
    return approval.state === 'approved' && approval.allowedTools ? allowedToolsOf(entry.frontmatter) : []
  }

  async #load(server: SkillServer, entry: Skill, signal: AbortSignal | undefined): Promise<LoadedSkill> {
    const ref = { server: server.label, uri: canonical(entry.uri) }
    const approved = await this.#approver.ensure(server, entry)
    if (server.closed) throw removed(server)
    const file: VerifiedFile = await this.#read(server, entry, 'SKILL.md', signal)
    const dependencies = dependenciesOf(entry.frontmatter)
    await this.#dependencies.acquire(ref, dependencies, (label) => this.#servers.has(label))
    if (server.closed) {
      await this.#unloaded(ref)
      throw removed(server)
    }
    this.#held.set(keyOf(ref), { server, entry })
    const { text = '', body = '', verified } = file
    const content = skillContent(ref, entry, body)
    return { ...server.describe(entry), approved, text, body, verified, content }
  }

  #read(server: SkillServer, entry: Skill, path: string, signal?: AbortSignal): Promise<VerifiedFile> {
    const { limits, cache, parseFrontmatter, dynamic } = this.#options
    if (entry.resources === 'dynamic' && dynamic === 'refuse')
      throw new SkillHostError(
        'dynamic-refused',
        `${entry.uri} has no digests, and this host refuses such skills.`,
      )
    return readSkillFile(server, entry, path, { limits, cache, parseFrontmatter, signal })
  }

  async #readFrom(
    skill: SkillRef,
    label: string,
    fileUri: string,
    signal: AbortSignal | undefined,
  ): Promise<SkillFile> {
    const server = this.#server(label)
    const holder = server.holderOf(fileUri)
    if (!holder || !(await this.#options.onCrossServerRead?.({ skill, server: label, fileUri })))
      throw new SkillHostError(
        'cross-server',
        `The skill ${skill.uri} of the server "${skill.server}" may not read ${fileUri} of the server "${label}".`,
      )
    return this.#read(server, holder, fileUri, signal)
  }

  #loadedOf(holder: SkillServer): Skill[] {
    return [...this.#held.values()].filter(({ server }) => server === holder).map(({ entry }) => entry)
  }

  /** The entry that a skill was loaded by, as long as it is loaded. */
  async #entry(server: SkillServer, ref: SkillRef, signal: AbortSignal | undefined): Promise<Skill> {
    const held = this.#held.get(keyOf(ref))
    return held?.server === server ? held.entry : server.entry(ref.uri, withSignal(signal))
  }

  /** After a failed check: the server's present entry, if it is another one. */
  async #changedEntry(
    server: SkillServer,
    held: Skill,
    error: unknown,
    signal: AbortSignal | undefined,
  ): Promise<Skill | undefined> {
    if (!(error instanceof SkillVerificationError) || held.resources === 'dynamic') return undefined
    const current = await server.fetchEntry(held.uri, withSignal(signal)).catch(() => undefined)
    const changed = current && compareFiles(approvalOf(held, false).files, approvalOf(current, false).files)
    return changed && current
  }

  async #unloaded(ref: SkillRef): Promise<UnloadedSkill> {
    const skill = { server: ref.server, uri: canonical(ref.uri) }
    const unloaded = { skill, releasedServers: this.#dependencies.release(skill) }
    await this.#options.onSkillUnloaded?.(unloaded)
    return unloaded
  }

  #server(label: string): SkillServer {
    const server = this.#servers.get(label)
    if (!server)
      throw new SkillHostError(
        'unknown-server',
        `There is no server labelled "${label}". There are: ${[...this.#servers.keys()].join(', ') || 'none'}.`,
      )
    return server
  }
}

function removed({ label }: SkillServer): SkillHostError {
  return new SkillHostError('unknown-server', `The server "${label}" was removed meanwhile.`)
}

function withSignal(signal: AbortSignal | undefined): { signal: AbortSignal } | undefined {
  return signal && { signal }
}
