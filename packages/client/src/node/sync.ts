/**
 * Skills as files in a folder, because the user asked for them. Every file is verified before anything in
 * the folder changes, and nothing is touched that was not put there by a download.
 */
import path from 'node:path'
import type { SkillHost } from '../host.ts'
import type { SkillRef } from '../ref.ts'
import { skillPathOf } from '../ref.ts'
import { isScannedFolder, whyScanned } from './scanned.ts'
import { SyncedFolder } from './synced-folder.ts'

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
  return new SyncedFolder(host, options).download(skill)
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
  const sync = new SyncedFolder(host, options)
  const skills = (await host.skills(options)).filter(({ server }) => labels.includes(server))
  // What goes does so first, and outer skills come before those that are nested in them: what was a file of the one
  // may be a folder of the other by now.
  const removed: SyncedSkill[] = []
  for (const label of labels) {
    const status = host.servers().find((server) => server.label === label)
    // A server that could not be listed has not said that anything is gone.
    if (status?.supported && !status.error) removed.push(...(await sync.removeGone(label, skills)))
  }
  const synced: SyncedSkill[] = []
  for (const skill of skills.toSorted((a, b) => depthOf(a) - depthOf(b)))
    synced.push(skill.resources === 'dynamic' ? sync.skip(skill) : await sync.download(skill))
  return [...synced, ...removed]
}

function depthOf({ uri }: SkillRef): number {
  return skillPathOf(uri).split('/').length
}

function refuseScanned({ to, install }: SyncOptions, labels: readonly string[]): void {
  const scanned = [to, ...labels.map((label) => path.join(to, label))].find((folder) =>
    isScannedFolder(folder),
  )
  if (scanned !== undefined && !install) throw new Error(`Nothing is written: ${whyScanned(scanned)}`)
}
