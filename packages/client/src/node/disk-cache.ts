import { readFile, rm, utimes } from 'node:fs/promises'
import path from 'node:path'
import type { CachedFile, CacheKey, SkillCache } from '../cache.ts'
import { nameOf } from '../ref.ts'
import { writeAtomic } from './atomic.ts'
import { Budget } from './budget.ts'
import { unlessMissing } from './missing.ts'
import { isScannedFolder } from './scanned.ts'
import { shortHash } from './short-hash.ts'

/** Its files, and what is left of one whose writing was cut off. Whatever else lies there is not touched. */
const OURS = /^[\w.-]+~[0-9a-f]{16}\/[^/]+~[0-9a-f]{16}\/(?:[0-9a-f]{64}|\.[0-9a-f-]{36}\.tmp)$/

/**
 * Keeps verified files in a folder: one folder a connection, one a skill below it, one file a digest,
 * never written twice. Every read of it is verified anew by the host. What was used least lately is
 * removed where all of it would be too much, so the files of old deploys go by themselves.
 *
 * @param options.maxBytes What the folder may hold; 256 MiB unless said.
 * @throws Error if some host takes skills in that folder for the user's own.
 *
 * @example
 * const host = new SkillHost({ cache: diskCache('/home/me/.cache/my-host/skills') })
 */
export function diskCache(
  folder: string,
  { maxBytes = 256 * 1024 * 1024 }: { readonly maxBytes?: number } = {},
): SkillCache {
  if (isScannedFolder(folder))
    throw new Error(
      `${folder} cannot be a cache: agents look for the user's own skills there, and would trust what servers sent. Use a folder below the user's cache folder.`,
    )
  const budget = new Budget(path.resolve(folder), maxBytes, OURS)
  const serverFolder = ({ server, identity }: Pick<CacheKey, 'server' | 'identity'>): string =>
    path.join(folder, `${server}~${shortHash(identity)}`)
  const fileOf = (key: CacheKey): string =>
    path.join(
      serverFolder(key),
      `${nameOf(key.skill)}~${shortHash(key.skill)}`,
      key.digest.replace(/^sha256:/, ''),
    )
  return {
    async get(key) {
      const kept = await unlessMissing(readFile(fileOf(key)))
      if (!kept) return undefined
      // Its time says when it was last used. A folder that cannot be written to is read all the same.
      const now = new Date()
      await utimes(fileOf(key), now, now).catch(() => {})
      return unpack(kept)
    },
    async set(key, file) {
      const packed = pack(file)
      await writeAtomic(fileOf(key), packed, 0o600)
      await budget.wrote(packed.length)
    },
    purge: (of) => rm(serverFolder(of), { recursive: true, force: true }),
  }
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
