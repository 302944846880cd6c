/**
 * Skills as files in a folder, because the user asked for them. Every file is verified before anything in
 * the folder changes, and nothing is touched that was not put there by a download.
 */
import path from 'node:path'
import type { SkillHost } from '../host.ts'
import type { SkillRef } from '../ref.ts'
import type { HostSkill } from '../skill.ts'
import type { Downloaded } from './manifest.ts'
import { allowedToolsOf } from '../approvals.ts'
import { skillPathOf } from '../ref.ts'
import { applyFiles, removeFiles } from './apply.ts'
import { readManifest, writeManifest } from './manifest.ts'
import { planSkill } from './plan.ts'
import { isScannedFolder, whyScanned } from './scanned.ts'
import { inTurn } from './turns.ts'

export interface SyncOptions {
  /** The folder. A skill lies in `<label>/<skill path>` below it; with `install`, in a folder of its name. */
  readonly to: string
  /**
   * Writes into a folder in which agents look for the user's own skills. They trust what they find
   * there, `allowed-tools` included: `warnings` says for which skills.
   */
  readonly install?: boolean
  /** Overwrites what was changed by hand, and what no download put there. */
  readonly force?: boolean
  /** Writes names that Windows cannot hold, and hidden ones, too. */
  readonly unsafeNames?: boolean
  /** Called for each file as it arrives, and for each skill as it is done. */
  readonly onProgress?: (progress: SyncProgress) => void
  readonly signal?: AbortSignal
}

export interface SyncProgress {
  readonly skill: SkillRef
  /** Files fetched, of those that have to be. */
  readonly done: number
  readonly total: number
}

/** What became of one skill. */
export interface SyncedSkill {
  readonly skill: SkillRef
  /** Where it lies, absolute. */
  readonly folder: string
  /** `skipped` has no digests, and was not asked for by name. */
  readonly state: 'new' | 'updated' | 'unchanged' | 'removed' | 'skipped' | 'failed'
  /** How many of its files were written, left as they were, and removed. */
  readonly written: number
  readonly kept: number
  readonly removed: number
  readonly warnings: readonly string[]
  /** With `failed`: nothing of this skill was changed. */
  readonly error?: Error
}

/**
 * Downloads one skill.
 *
 * @throws Error if the folder is one that agents scan and `install` was not asked for, or its manifest is damaged.
 */
export async function downloadSkill(
  host: SkillHost,
  skill: SkillRef,
  options: SyncOptions,
): Promise<SyncedSkill> {
  refuseScanned(options, [skill.server])
  return new Sync(host, options).download(skill)
}

/**
 * Downloads every skill that servers list, and removes those that they no longer serve.
 *
 * @param options.servers Labels; all servers of the host unless said.
 * @throws Error as `downloadSkill` does.
 *
 * @example
 * for (const { folder, state } of await syncSkills(host, { to: 'vendor/skills' })) console.log(folder, state)
 */
export async function syncSkills(
  host: SkillHost,
  { servers, ...options }: SyncOptions & { readonly servers?: readonly string[] },
): Promise<SyncedSkill[]> {
  const labels = servers ?? host.servers().map(({ label }) => label)
  refuseScanned(options, labels)
  const sync = new Sync(host, options)
  const skills = (await host.skills(options)).filter(({ server }) => labels.includes(server))
  const synced: SyncedSkill[] = []
  for (const skill of skills)
    synced.push(skill.resources === 'dynamic' ? sync.skip(skill) : await sync.download(skill))
  for (const label of labels) {
    const status = host.servers().find((server) => server.label === label)
    // A server that could not be listed has not said that anything is gone.
    if (status?.supported && !status.error) synced.push(...(await sync.removeGone(label, skills)))
  }
  return synced
}

function refuseScanned({ to, install }: SyncOptions, labels: readonly string[]): void {
  const scanned = [to, ...labels.map((label) => path.join(to, label))].find((folder) =>
    isScannedFolder(folder),
  )
  if (scanned !== undefined && !install) throw new Error(`Nothing is written: ${whyScanned(scanned)}`)
}

class Sync {
  readonly #host: SkillHost
  readonly #options: SyncOptions
  readonly #root: string

  constructor(host: SkillHost, options: SyncOptions) {
    this.#host = host
    this.#options = options
    this.#root = path.resolve(options.to)
  }

  download(ref: SkillRef): Promise<SyncedSkill> {
    return inTurn(this.#root, () => this.#download(ref))
  }

  async #download(ref: SkillRef): Promise<SyncedSkill> {
    const manifest = await readManifest(this.#root)
    const folder = this.#folderOf(ref)
    const none = { skill: ref, folder: path.join(this.#root, folder), written: 0, kept: 0, removed: 0 }
    try {
      const skill = await this.#host.describe(ref, this.#options)
      const identity = this.#host.identityOf(ref.server) ?? ''
      const plan = await planSkill(this.#root, folder, skill, identity, manifest, this.#options)
      await applyFiles(this.#host, this.#root, skill, plan, this.#options)
      // Another process may have written to the folder meanwhile.
      const latest = await readManifest(this.#root)
      const others = latest.filter((downloaded) => downloaded.folder !== folder)
      const removed = await removeFiles(this.#root, plan.gone, others, folder)
      await writeManifest(this.#root, [...others, plan.downloaded])
      const warnings = [...this.#warnings(skill), ...removed.warnings]
      const counts = { written: plan.fetch.length, kept: plan.kept, removed: removed.count, warnings }
      const state = !plan.before ? 'new' : counts.written || counts.removed ? 'updated' : 'unchanged'
      return { ...none, ...counts, state }
    } catch (error) {
      if (this.#options.signal?.aborted) throw error
      return { ...none, state: 'failed', warnings: [], error: error as Error }
    }
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
        removed.push(await inTurn(this.#root, () => this.#remove(downloaded)))
      else if (!(answer instanceof Error)) removed.push(await this.download({ server, uri }))
    }
    return removed
  }

  async #remove({ server, uri, folder, files }: Downloaded): Promise<SyncedSkill> {
    const others = (await readManifest(this.#root)).filter((downloaded) => downloaded.folder !== folder)
    const { count, warnings } = await removeFiles(this.#root, files, others, folder)
    await writeManifest(this.#root, others)
    const at = { skill: { server, uri }, folder: path.join(this.#root, folder) }
    return { ...at, state: 'removed', written: 0, kept: 0, removed: count, warnings }
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
