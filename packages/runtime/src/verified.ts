import type { CatalogOptions, SkillCatalog, Skills } from './catalog.ts'
import { createCatalog } from './catalog.ts'
import { isCompiled } from './compiled.ts'
import { sharedSource } from './shared.ts'

/**
 * The catalog of an adapter whose server verifies callers itself: `authInfo` is what it found out. Made
 * again and again, as where a server is made for every request, it parses a compiled set once.
 */
export function verifiedCatalog(skills: Skills, options: CatalogOptions): SkillCatalog {
  return createCatalog(isCompiled(skills) ? sharedSource(skills) : skills, { verified: true, ...options })
}
