import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { CachedFile, CacheKey, SkillCache } from '../cache.ts'
import { nameOf } from '../ref.ts'
import { writeAtomic } from './atomic.ts'
import { unlessMissing } from './missing.ts'
import { isScannedFolder } from './scanned.ts'

/**
 * Keeps verified files in a folder: one folder a connection, one a skill below it, one file a digest,
 * never written twice. Every read of it is verified anew by the host.
 *
 * @throws Error if some host takes skills in that folder for the user's own.
 *
 * @example
 * const host = new SkillHost({ cache: diskCache('/home/me/.cache/my-host/skills') })
 */
export function diskCache(folder: string): SkillCache {
  if (isScannedFolder(folder))
    throw new Error(
      `${folder} cannot be a cache: agents look for the user's own skills there, and would trust what servers sent. Use a folder below the user's cache folder.`,
    )
  const serverFolder = ({ server, identity }: Pick<CacheKey, 'server' | 'identity'>): string =>
    path.join(folder, `${server}~${hash(identity)}`)
  const fileOf = (key: CacheKey): string =>
    path.join(
      serverFolder(key),
      `${nameOf(key.skill)}~${hash(key.skill)}`,
      key.digest.replace(/^sha256:/, ''),
    )
  return {
    async get(key) {
      const kept = await unlessMissing(readFile(fileOf(key)))
      return kept && unpack(kept)
    },
    set: (key, file) => writeAtomic(fileOf(key), pack(file), 0o600),
    purge: (of) => rm(serverFolder(of), { recursive: true, force: true }),
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** A line of JSON, then the bytes. */
function pack({ bytes, mimeType }: CachedFile): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ mimeType })}\n`), bytes])
}

/** Nothing if the file is not one of these. */
function unpack(kept: Buffer): CachedFile | undefined {
  const end = kept.indexOf('\n')
  try {
    const { mimeType } = JSON.parse(kept.subarray(0, end).toString()) as { mimeType?: unknown }
    return { bytes: kept.subarray(end + 1), ...(typeof mimeType === 'string' && { mimeType }) }
  } catch {
    return undefined
  }
}
