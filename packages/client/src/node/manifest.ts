/** What of a folder is ours: which skills were downloaded into it, from where, and with which digests. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { writeAtomic } from './atomic.ts'
import { unlessMissing } from './missing.ts'
import { refusedName } from './names.ts'

/** The file that says so, in the folder itself. */
export const MANIFEST = '.embed-skills.json'

/** One downloaded skill. */
export interface Downloaded {
  /** Below the folder, with `/`. */
  readonly folder: string
  readonly server: string
  /** What the label stood for. */
  readonly identity: string
  readonly uri: string
  /** Digests by the path below the skill. */
  readonly files: Readonly<Record<string, string>>
}

/** @throws Error if there is such a file and it is not ours: nothing of the folder may be touched then. */
export async function readManifest(folder: string): Promise<Downloaded[]> {
  const file = path.join(folder, MANIFEST)
  const text = await unlessMissing(readFile(file, 'utf8'))
  if (text === undefined) return []
  let found: { version?: unknown; skills?: unknown } | undefined
  try {
    found = JSON.parse(text) as typeof found
  } catch {
    // Told below.
  }
  if (found?.version !== 1 || !Array.isArray(found.skills) || !found.skills.every(isDownloaded))
    throw new Error(
      `${file} is not a list of downloaded skills of version 1. Move it away, or use another folder.`,
    )
  return found.skills
}

export async function writeManifest(folder: string, skills: readonly Downloaded[]): Promise<void> {
  const sorted = skills.toSorted((a, b) => (a.folder < b.folder ? -1 : 1))
  await writeAtomic(
    path.join(folder, MANIFEST),
    `${JSON.stringify({ version: 1, skills: sorted }, null, 2)}\n`,
  )
}

function isDownloaded(skill: unknown): skill is Downloaded {
  const { folder, server, identity, uri, files } = (skill ?? {}) as Record<string, unknown>
  const texts = [folder, server, identity, uri].every((field) => typeof field === 'string')
  if (!texts || typeof files !== 'object' || files === null) return false
  // The file may have come with the folder, from anybody.
  return [folder as string, ...Object.keys(files)].every((name) => !refusedName(name, { unsafe: true }))
}
