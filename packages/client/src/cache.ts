/** Whose file is cached, and what it has to hash to. */
export interface CacheKey {
  readonly server: string
  readonly identity: string
  /** The URI of the skill's `SKILL.md`. */
  readonly skill: string
  readonly digest: string
}

/** Bytes as they were kept. They are verified again, as if they had come from the server. */
export interface CachedFile {
  readonly bytes: Uint8Array
  readonly mimeType?: string
}

/** Where verified files are kept between reads. What it gives back is never trusted. */
export interface SkillCache {
  get(key: CacheKey): Promise<CachedFile | undefined>
  set(key: CacheKey, file: CachedFile): Promise<void>
  /** Forgets what came from one connection. */
  purge(of: Pick<CacheKey, 'server' | 'identity'>): Promise<void>
}
