import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { SkillHost } from '../host.ts'
import type { SkillRef } from '../ref.ts'
import type { HostSkill } from '../skill.ts'
import type { Downloaded } from './manifest.ts'
import type { Plan, PlannedFile } from './plan.ts'
import type { Removal } from './removal.ts'
import type { SyncedSkill, SyncOptions } from './sync.ts'
import { allowedToolsOf } from '../approvals.ts'
import { skillPathOf } from '../ref.ts'
import { locked } from './lock.ts'
import { readManifest, writeManifest } from './manifest.ts'
import { changeAll } from './moves.ts'
import { planSkill } from './plan.ts'
import { planRemoval } from './removal.ts'
import { Staging } from './staging.ts'

type Outcome = Omit<SyncedSkill, 'skill' | 'folder'>

/** A folder that skills of a host are downloaded into. Each skill is brought there whole, or stays as it is. */
export class SyncedFolder {
  readonly #host: SkillHost
  readonly #options: SyncOptions
  readonly #root: string

  constructor(host: SkillHost, options: SyncOptions) {
    this.#host = host
    this.#options = options
    this.#root = path.resolve(options.to)
  }

  async download(ref: SkillRef): Promise<SyncedSkill> {
    // One that is damaged is nothing that concerns this skill alone.
    await readManifest(this.#root)
    return this.#attempt(ref, this.#folderOf(ref), async (staging) => {
      const skill = await this.#host.describe(ref, this.#options)
      for (;;) {
        const done = await this.#apply(skill, staging)
        if (!('missing' in done)) return done
        // Others may change the folder meanwhile: what is to be done is found out anew after it.
        await staging.fetch(this.#host, skill, done.missing, this.#options)
      }
    })
  }

  async #attempt(
    skill: SkillRef,
    folder: string,
    work: (staging: Staging) => Promise<Outcome>,
  ): Promise<SyncedSkill> {
    const at = { skill, folder: path.join(this.#root, folder) }
    const staging = new Staging(this.#root)
    try {
      return { ...at, ...(await work(staging)) }
    } catch (error) {
      if (this.#options.signal?.aborted) throw error
      const none = { written: 0, kept: 0, removed: 0, warnings: [] }
      return { ...at, ...none, state: 'failed', error: error as Error }
    } finally {
      await staging.remove()
    }
  }

  /** Brings the folder to what the skill is, if all that this takes has been fetched. */
  #apply(skill: HostSkill, staging: Staging): Promise<Outcome | { missing: PlannedFile[] }> {
    return this.#locked(async () => {
      const manifest = await readManifest(this.#root)
      const folder = this.#folderOf(skill)
      const identity = this.#host.identityOf(skill.server) ?? ''
      const plan = await planSkill(this.#root, folder, skill, identity, manifest, this.#options)
      const missing = staging.missing(plan.put)
      if (missing.length) return { missing }
      const { put, kept, remove, before, downloaded } = plan
      const others = manifest.filter((other) => other !== before)
      if (!isDeepStrictEqual(before, downloaded) || put.length || remove.length)
        await this.#change(staging, plan, [...others, downloaded])
      const counts = { written: put.length, kept, removed: remove.length }
      const state = !before ? 'new' : counts.written || counts.removed ? 'updated' : 'unchanged'
      return { ...counts, state, warnings: [...this.#warnings(skill), ...plan.warnings] }
    })
  }

  /** All of it, with the manifest that says so, or nothing. */
  async #change(
    staging: Staging,
    { folder, put = [], remove }: Removal & Partial<Pick<Plan, 'folder' | 'put'>>,
    manifest: readonly Downloaded[],
  ): Promise<void> {
    // With SKILL.md last, a new skill is not found before it is complete.
    const order = put.toSorted((a, b) => Number(a.path === 'SKILL.md') - Number(b.path === 'SKILL.md'))
    const moves = order.map((file) => ({ from: staging.fileOf(file), to: `${folder}/${file.path}` }))
    await changeAll(this.#root, { remove, put: moves }, await staging.folder(), () =>
      writeManifest(this.#root, manifest),
    )
  }

  #locked<T>(work: () => Promise<T>): Promise<T> {
    return locked(path.join(this.#root, '.embed-skills'), work, { signal: this.#options.signal })
  }

  skip({ server, uri }: HostSkill): SyncedSkill {
    const at = { skill: { server, uri }, folder: path.join(this.#root, this.#folderOf({ server, uri })) }
    const warnings = [`${uri} has no digests, so a copy of it could not be verified: it is left out.`]
    return { ...at, state: 'skipped', written: 0, kept: 0, removed: 0, warnings }
  }

  /** Removes what came from this connection, is listed no more, and is served no more either. */
  async removeGone(label: string, listed: readonly SkillRef[]): Promise<SyncedSkill[]> {
    const identity = this.#host.identityOf(label) ?? ''
    const removed: SyncedSkill[] = []
    for (const downloaded of await readManifest(this.#root)) {
      const { server, uri } = downloaded
      const ours = server === label && downloaded.identity === identity
      if (!ours || listed.some((skill) => skill.server === label && skill.uri === uri)) continue
      // A listing may be partial: only a plain no to the URI itself counts.
      const answer = await this.#host
        .describe({ server, uri }, this.#options)
        .catch((error: unknown) => error)
      if ((answer as { code?: unknown } | undefined)?.code === -32602)
        removed.push(await this.#remove(downloaded))
      else if (!(answer instanceof Error)) removed.push(await this.download({ server, uri }))
    }
    return removed
  }

  #remove(downloaded: Downloaded): Promise<SyncedSkill> {
    const { server, uri, folder } = downloaded
    return this.#attempt({ server, uri }, folder, (staging) =>
      this.#locked(async () => {
        const manifest = await readManifest(this.#root)
        const ours = manifest.find((other) => isSame(other, downloaded))
        const others = manifest.filter((other) => other !== ours)
        // Another process may have removed it, or put something else there.
        const removal = ours ? await planRemoval(this.#root, ours, others) : { remove: [], warnings: [] }
        if (ours) await this.#change(staging, removal, others)
        const { remove, warnings } = removal
        return { state: 'removed', written: 0, kept: 0, removed: remove.length, warnings }
      }),
    )
  }

  /** With the label in it, equal URIs of two servers lie apart. Agents look one level deep only. */
  #folderOf({ server, uri }: SkillRef): string {
    const skillPath = skillPathOf(uri)
    return this.#options.install ? skillPath.split('/').at(-1)! : `${server}/${skillPath}`
  }

  #warnings({ name, frontmatter }: HostSkill): string[] {
    const tools = allowedToolsOf(frontmatter)
    if (!this.#options.install || !tools.length) return []
    return [
      `${name} asks for tools, which agents that read this folder may grant it unasked: ${tools.join(' ')}`,
    ]
  }
}

function isSame(a: Downloaded, b: Downloaded): boolean {
  return a.folder === b.folder && a.server === b.server && a.identity === b.identity && a.uri === b.uri
}
