import type { CompiledSkill } from '@embed-skills/compiler'

/** What a program prints of a set, read through the runtime. */
export interface Served {
  readonly entries: readonly unknown[]
  readonly digests: Readonly<Record<string, string>>
}

/**
 * Code that any runtime runs: `served(skills)` reads everything in a set and hashes what came.
 */
export const SERVED: string = `
import { createCatalog } from '@embed-skills/runtime'
export async function served(set) {
  const catalog = createCatalog(set, { pageSize: 1000 })
  const { skills } = await catalog.list({}, {})
  const digests = {}
  for (const { resources } of skills)
    for (const { uri } of resources) {
      const { contents: [{ text, blob }] } = await catalog.read({ uri }, {})
      const bytes = text === undefined
        ? Uint8Array.from(atob(blob), (char) => char.charCodeAt(0))
        : new TextEncoder().encode(text)
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
      digests[uri] = 'sha256:' + Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
    }
  return JSON.stringify({ entries: skills, digests })
}
`

/** What has to come out. */
export function expected(skills: readonly CompiledSkill[]): Served {
  return {
    entries: skills.map(({ uri, frontmatter, files }) => ({
      uri,
      frontmatter,
      resources: files.map(({ uri, digest, size }) => ({ uri, digest, size })),
    })),
    digests: Object.fromEntries(skills.flatMap(({ files }) => files.map(({ uri, digest }) => [uri, digest]))),
  }
}
