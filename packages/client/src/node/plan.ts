/** What a download would do to a folder, found out before any of it is done. */
import nodePath from 'node:path'
import type { HostSkill } from '../skill.ts'
import type { Downloaded } from './manifest.ts'
import { filesOf } from '../ref.ts'
import { collidingFolders, collidingNames, refusedName } from './names.ts'
import { look } from './place.ts'
import { isScannedFolder, whyScanned } from './scanned.ts'

export interface Plan {
  /** Below the root, with `/`. */
  readonly folder: string
  /** Paths below the skill that have to be fetched, with the digests to expect. */
  readonly fetch: readonly { readonly path: string; readonly digest: string }[]
  /** How many files are there already, as they have to be. */
  readonly kept: number
  /** What was downloaded before and is no file of the skill any more. */
  readonly gone: Readonly<Record<string, string>>
  readonly before: Downloaded | undefined
  /** What the manifest will say. */
  readonly downloaded: Downloaded
}

interface PlanOptions {
  readonly unsafeNames?: boolean
  readonly force?: boolean
  readonly install?: boolean
}

/** @throws Error if the skill cannot be written as it is, or not without losing what is not ours. */
export async function planSkill(
  root: string,
  folder: string,
  skill: HostSkill,
  identity: string,
  manifest: readonly Downloaded[],
  { unsafeNames = false, force = false, install = false }: PlanOptions,
): Promise<Plan> {
  const { server, uri } = skill
  if (skill.resources === 'dynamic')
    throw new Error(`${uri} has no digests, so a copy of it could not be verified: it is not downloaded.`)
  const digests = new Map([...filesOf(skill)].map(([path, { digest }]) => [path, digest]))
  checkNames(folder, [...digests.keys()], unsafeNames)
  if (!install) checkFolders(root, folder, [...digests.keys()])
  const other = manifest.find((downloaded) => collidingFolders(folder, downloaded.folder))
  if (other)
    throw new Error(
      `${folder} is not written: on most machines, it and ${other.folder} are one folder. Use another label.`,
    )

  const before = manifest.find((downloaded) => downloaded.folder === folder)
  if (before && (before.server !== server || before.identity !== identity || before.uri !== uri))
    throw new Error(
      `${folder} holds ${before.uri} of the server "${before.server}" (${before.identity || 'unknown'}). Use another folder or label for ${uri}.`,
    )

  const ours = digestsOf(manifest)
  const fetch: { path: string; digest: string }[] = []
  for (const [path, digest] of digests) {
    const file = `${folder}/${path}`
    const found = await look(root, file)
    if (found === 'link' || found === 'folder' || found === 'other')
      throw new Error(
        `${file} cannot be written: there is a ${found === 'other' ? 'file in its way' : found}.`,
      )
    if (found !== 'nothing' && found.digest === digest) continue
    if (found !== 'nothing' && !ours.get(file)?.has(found.digest) && !force)
      throw new Error(
        ours.has(file)
          ? `${file} was changed by hand. Move it away, or overwrite it with --force.`
          : `${file} was not put there by a download. Move it away, or overwrite it with --force.`,
      )
    fetch.push({ path, digest })
  }
  const gone = Object.entries(before?.files ?? {}).filter(([path]) => !digests.has(path))
  return {
    folder,
    fetch,
    kept: digests.size - fetch.length,
    gone: Object.fromEntries(gone),
    before,
    downloaded: { folder, server, identity, uri, files: Object.fromEntries([...digests].sort(byPath)) },
  }
}

function checkNames(folder: string, paths: readonly string[], unsafe: boolean): void {
  for (const path of paths) {
    const refused = refusedName(`${folder}/${path}`, { unsafe })
    if (refused) throw new Error(`${folder}/${path} is not written: ${refused}.`)
  }
  const collision = collidingNames(paths)
  if (collision)
    throw new Error(
      `${folder} is not written: on most machines, ${collision[0]} and ${collision[1]} are one file.`,
    )
}

/** A skill may have such a folder in its own path, or in those of its files. */
function checkFolders(root: string, folder: string, paths: readonly string[]): void {
  const folders = new Set(paths.map((path) => nodePath.join(root, folder, nodePath.dirname(path))))
  const scanned = [...folders].find((below) => isScannedFolder(below))
  if (scanned !== undefined) throw new Error(`${folder} is not written: ${whyScanned(scanned)}`)
}

/** Every digest that a download left at a path; nested skills share their files with the skill around. */
function digestsOf(manifest: readonly Downloaded[]): Map<string, Set<string>> {
  const digests = new Map<string, Set<string>>()
  for (const { folder, files } of manifest)
    for (const [path, digest] of Object.entries(files)) {
      const file = `${folder}/${path}`
      digests.set(file, (digests.get(file) ?? new Set()).add(digest))
    }
  return digests
}

function byPath([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : a > b ? 1 : 0
}
