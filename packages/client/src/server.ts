/** One connected server: its listing, and how fresh that is. */
import type { Skill } from '@embed-skills/runtime'
import type { Client } from '@modelcontextprotocol/client'
import type { InvalidSkillEntry, SkillsClientOptions } from '@modelcontextprotocol/client/ext/skills'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import type { HostSkill } from './skill.ts'
import { changesBetween } from './approvals.ts'
import { SkillHostError } from './errors.ts'
import { Fresh, orAborted } from './fresh.ts'
import { sortedJson } from './json.ts'
import { refusedUri } from './limits.ts'
import { fetchListing } from './listing.ts'
import { canonical, enclosingSkills } from './ref.ts'
import { Watch } from './watch.ts'

type RequestOptions = Parameters<SkillsClient['get']>[1]

export interface ServerOptions {
  /** What the label stands for; without it, approvals end with the connection. */
  readonly identity?: string | undefined
  readonly parseFrontmatter?: SkillsClientOptions['parseFrontmatter']
  /** How long a listing lasts where the server does not say, in milliseconds. */
  readonly defaultTtlMs: number
  readonly listTimeoutMs: number
  now(): number
  /** The server said that its listing has changed. */
  onChanged(): void
  /** An entry came that lists other files than the one before it, or has other frontmatter. */
  onEntry(entry: Skill): Promise<void>
}

/** What is known of a server, to be shown. */
export interface ServerStatus {
  readonly label: string
  /** Whether the server declares the Skills extension. */
  readonly supported: boolean
  readonly skills: number
  /** Entries of its listing that break the rules, and why: they are not offered. */
  readonly invalid: readonly InvalidSkillEntry[]
  /** Why it could not be listed the last time; what it listed before is kept. */
  readonly error?: Error
}

/** No server may say that its listing stays as it is for longer than a day. */
const MAX_TTL = 24 * 60 * 60 * 1000

/** A server that failed is not waited for again and again. */
const RETRY_AFTER = 30 * 1000

export class SkillServer {
  readonly label: string
  readonly client: Client
  readonly reader: SkillsClient
  readonly identity: string | undefined
  /** This connection and no other, under whatever label. */
  readonly session: string = crypto.randomUUID()
  readonly #options: ServerOptions
  readonly #watch: Watch
  #listed = new Map<string, Skill>()
  /** Skills that are in no listing, asked for by their URI. */
  #unlisted = new Map<string, Skill>()
  #invalid: readonly InvalidSkillEntry[] = []
  #error: Error | undefined
  /** Every unlisted skill that was ever asked for: what lies in one of them is nested, listed or not. */
  readonly #asked = new Set<string>()
  readonly #listing: Fresh
  readonly #end = new AbortController()
  readonly #writes = new Set<Promise<void>>()

  constructor(label: string, client: Client, options: ServerOptions) {
    this.label = label
    this.client = client
    this.identity = options.identity
    this.#options = options
    const { parseFrontmatter } = options
    // One bad entry must not hide the others.
    this.reader = new SkillsClient(client, {
      skipInvalid: true,
      ...(parseFrontmatter && { parseFrontmatter }),
    })
    this.#listing = new Fresh(() => this.#list(), options.now)
    const changed = (): void => {
      // Of a storm, one is told a listing: the others say nothing new.
      if (!this.closed && this.#listing.expire()) options.onChanged()
    }
    this.#watch = new Watch(client, changed, options.now)
  }

  get status(): ServerStatus {
    return {
      label: this.label,
      supported: this.reader.supported,
      skills: this.#listed.size,
      invalid: this.#invalid,
      ...(this.#error && { error: this.#error }),
    }
  }

  /** Every skill that this server listed. */
  get skills(): HostSkill[] {
    return this.listed.map((skill) => this.describe(skill))
  }

  /** Has the next `refresh` ask again. */
  expire(): void {
    this.#listing.expire()
  }

  /**
   * Lists the server anew where its listing has expired. What the server does wrong is in `status.error`.
   *
   * @throws What the signal says: the caller does not wait any longer.
   */
  async refresh(options?: { readonly signal?: AbortSignal }): Promise<void> {
    await orAborted(this.#listing.refresh() ?? Promise.resolve(), options?.signal)
  }

  /** The entry of a skill as far as it is known already. */
  known(uri: string): Skill | undefined {
    const key = canonical(uri)
    return this.#listed.get(key) ?? this.#unlisted.get(key)
  }

  /** The entry of a skill: from the listing, else asked for. */
  async entry(uri: string, options?: RequestOptions): Promise<Skill> {
    return this.known(uri) ?? this.fetchEntry(uri, options)
  }

  /** Asks for the entry of one skill and holds it from now on. */
  async fetchEntry(uri: string, options?: RequestOptions): Promise<Skill> {
    const { skill } = (await this.reader.get(uri, options)) as { skill: Skill }
    const refused = refusedUri(skill)
    if (refused)
      throw new SkillHostError('over-limit', `The skill ${uri.slice(0, 100)} is refused: ${refused}.`)
    const key = canonical(skill.uri)
    await this.#notice(skill)
    if (!this.#listed.has(key)) this.#asked.add(key)
    ;(this.#listed.has(key) ? this.#listed : this.#unlisted).set(key, skill)
    return skill
  }

  /** The skill that lists a file of this URI, if there is one. */
  holderOf(fileUri: string): Skill | undefined {
    const uri = canonical(fileUri)
    return [...this.#listed.values(), ...this.#unlisted.values()].find(({ resources }) =>
      resources === 'dynamic' ? false : resources.some((file) => canonical(file.uri) === uri),
    )
  }

  /** The entries that this server listed. */
  get listed(): Skill[] {
    return [...this.#listed.values()]
  }

  describe({ uri, frontmatter, resources }: Skill): HostSkill {
    const { name, description } = frontmatter
    const nested = enclosingSkills(uri).some((outer) => this.#listed.has(outer) || this.#asked.has(outer))
    return { server: this.label, uri: canonical(uri), name, description, frontmatter, resources, nested }
  }

  /** Whether it was removed from its host: nothing of it is kept any more. */
  get closed(): boolean {
    return this.#end.signal.aborted
  }

  /** Keeps something of this server, unless it was removed; removing it waits until that is done. */
  async keep(write: () => Promise<void>): Promise<void> {
    if (this.closed) return
    const writing = write().finally(() => this.#writes.delete(writing))
    this.#writes.add(writing)
    await writing
  }

  /** Ends what this object holds of the connection; the connection itself stays open. */
  async close(): Promise<void> {
    this.#watch.stop()
    this.#end.abort(new Error('The server was removed'))
    await Promise.allSettled(this.#writes)
  }

  /** Gives for how long what it found out holds. */
  async #list(): Promise<number> {
    const { defaultTtlMs, listTimeoutMs } = this.#options
    try {
      this.#watch.renew()
      if (!this.reader.supported) return 0
      const listing = await fetchListing(this.reader, listTimeoutMs, this.#end.signal)
      const { skills, invalid, ttlMs = defaultTtlMs } = listing
      for (const skill of skills) await this.#notice(skill)
      this.#listed = new Map(skills.map((skill) => [canonical(skill.uri), skill]))
      this.#unlisted = new Map()
      this.#invalid = invalid
      this.#error = undefined
      return Math.min(ttlMs, MAX_TTL)
    } catch (error) {
      this.#error = error as Error
      return RETRY_AFTER
    }
  }

  async #notice(entry: Skill): Promise<void> {
    const before = this.known(entry.uri)
    const differs =
      before && (changesBetween(before, entry) || !isSame(before.frontmatter, entry.frontmatter))
    if (differs) await this.#options.onEntry(entry)
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return sortedJson(a) === sortedJson(b)
}
