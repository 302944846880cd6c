/** What a download would do to a folder, found out before any of it is done. */
import { readdir } from 'node:fs/promises'
import nodePath from 'node:path'
import type { HostSkill } from '../skill.ts'
import type { Downloaded } from './manifest.ts'
import { filesOf } from '../ref.ts'
import type { Found } from './place.ts'
import { collidingFolders, collidingNames, foldName, refusedName } from './names.ts'
import { look } from './place.ts'
import type { Removal } from './removal.ts'
import { fileOf, planRemoval } from './removal.ts'
import { isScannedFolder, whyScanned } from './scanned.ts'

/** A file of a skill, by its path below it. */
export interface PlannedFile {
  readonly path: string
  readonly digest: string
}

export interface Plan extends Removal {
  /** Below the root, with `/`. */
  readonly folder: string
  /** What has to be put there. */
  readonly put: readonly PlannedFile[]
  /** How many files are there already, as they have to be. */
  readonly kept: number
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

  const others = manifest.filter((downloaded) => downloaded !== before)
  const gone = Object.entries(before?.files ?? {}).filter(([path]) => !digests.has(path))
  const needed = [...digests.keys()].map((path) => `${folder}/${path}`)
  const removal = await planRemoval(root, { folder, files: Object.fromEntries(gone) }, others, needed, force)
  const put = await planPuts(root, folder, digests, manifest, removal, force)
  const files = Object.fromEntries([...digests].sort(byPath))
  const downloaded = { folder, server, identity, uri, files }
  return { ...removal, folder, put, kept: digests.size - put.length, before, downloaded }
}

async function planPuts(
  root: string,
  folder: string,
  digests: ReadonlyMap<string, string>,
  manifest: readonly Downloaded[],
  { remove }: Removal,
  force: boolean,
): Promise<PlannedFile[]> {
  // Where case does not count, what is found at a path may be what goes by another spelling of it.
  const leaving = new Set(remove.map(({ file }) => foldName(file)))
  const ours = digestsOf(manifest)
  const put: PlannedFile[] = []
  for (const [path, digest] of digests) {
    const file = fileOf({ folder }, path)
    const found = await look(root, file)
    if (typeof found === 'string') {
      const other = await inTheWay(root, file, found, leaving)
      if (other) throw new Error(`${file} cannot be written: ${other} is in its way. Move it away.`)
    } else {
      const known = ours.get(foldName(file))
      if (found.digest === digest && !leaving.has(foldName(file))) continue
      if (!known?.has(found.digest) && !force)
        throw new Error(
          `${file} was ${known ? 'changed by hand' : 'not put there by a download'}. Move it away, or overwrite it with --force.`,
        )
    }
    put.push({ path, digest })
  }
  return put
}

/** What will still be where a file is to be, once all that leaves has left. */
async function inTheWay(
  root: string,
  file: string,
  found: Found & string,
  leaving: ReadonlySet<string>,
): Promise<string | undefined> {
  if (found === 'nothing') return undefined
  if (found === 'link') return 'a link'
  if (found === 'other') {
    const above = file.split('/').map((_, end, segments) => segments.slice(0, end).join('/'))
    return above.some((each) => leaving.has(foldName(each))) ? undefined : 'another file'
  }
  const below = await readdir(nodePath.join(root, file), { recursive: true, withFileTypes: true })
  const stays = below
    .filter((entry) => !entry.isDirectory())
    .map((entry) => nodePath.relative(root, nodePath.join(entry.parentPath, entry.name)))
    .map((name) => name.replaceAll(nodePath.sep, '/'))
    .find((name) => !leaving.has(foldName(name)))
  return stays === undefined ? undefined : `the folder with ${stays}`
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
  for (const downloaded of manifest)
    for (const [path, digest] of Object.entries(downloaded.files)) {
      const file = foldName(fileOf(downloaded, path))
      digests.set(file, (digests.get(file) ?? new Set()).add(digest))
    }
  return digests
}

function byPath([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : a > b ? 1 : 0
}
