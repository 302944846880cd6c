/** Files that were fetched and verified, beside the folder that they are for: nothing of it has changed yet. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SkillHost } from '../host.ts'
import type { HostSkill } from '../skill.ts'
import type { PlannedFile } from './plan.ts'
import type { SyncOptions } from './sync.ts'
import { readAsListed } from '../host.ts'
import { digestOf } from './place.ts'

export class Staging {
  readonly #root: string
  #folder: Promise<string> | undefined
  /** By path below the skill. */
  readonly #staged = new Map<string, { readonly digest: string; readonly file: string }>()

  constructor(root: string) {
    this.#root = root
  }

  /** Those of the files that are not here yet. */
  missing(files: readonly PlannedFile[]): PlannedFile[] {
    return files.filter(({ path, digest }) => this.#staged.get(path)?.digest !== digest)
  }

  /** Where a file lies that is here. */
  fileOf({ path }: PlannedFile): string {
    return this.#staged.get(path)!.file
  }

  /** A folder that is removed with all of this. */
  folder(): Promise<string> {
    this.#folder ??= mkdir(this.#root, { recursive: true }).then(() =>
      mkdtemp(path.join(this.#root, '.embed-skills-')),
    )
    return this.#folder
  }

  async fetch(
    host: SkillHost,
    skill: HostSkill,
    files: readonly PlannedFile[],
    { onProgress, signal }: SyncOptions,
  ): Promise<void> {
    const folder = await this.folder()
    const ref = { server: skill.server, uri: skill.uri }
    for (const [done, { path: below, digest }] of files.entries()) {
      onProgress?.({ skill: ref, done, total: files.length })
      const { bytes } = await readAsListed(host, skill, below, signal)
      if (digestOf(bytes) !== digest)
        throw new Error(`${skill.uri} changed while it was downloaded. Try again.`)
      const file = path.join(folder, `${this.#staged.size}`)
      await writeFile(file, bytes, { mode: 0o644, flag: 'wx' })
      this.#staged.set(below, { digest, file })
    }
    onProgress?.({ skill: ref, done: files.length, total: files.length })
  }

  async remove(): Promise<void> {
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true })
  }
}
