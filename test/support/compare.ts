import { Buffer } from 'node:buffer'
import type { CompiledSkill, SkillFile } from '@embed-skills/compiler'
import type { CompiledSkills } from '@embed-skills/runtime'
import { serveSkills } from '@embed-skills/runtime/fetch'
import { post } from './client.ts'
import { info } from './servers.ts'

type Fetch = (request: Request) => Promise<Response>

/** What a server of skills says otherwise than `compile` did: every entry, and every byte of every file. */
export async function differences(
  skills: readonly CompiledSkill[],
  url: string,
  fetch?: Fetch,
): Promise<string[]> {
  const found: string[] = []
  const ask = async (method: string, params: Record<string, unknown>): Promise<unknown> =>
    (await post(url, 'legacy', method, params, fetch)).result
  const list = (await ask('skills/list', {})) as { skills: object[] } | undefined
  const expected = skills.map(({ uri, frontmatter, files }) =>
    JSON.stringify({
      uri,
      frontmatter,
      resources: files.map(({ uri, digest, size }) => ({ uri, digest, size })),
    }),
  )
  // Not compared as objects: a key such as `__proto__` would get lost on the way.
  const entries = (list?.skills ?? []).map((entry) => JSON.stringify(entry))
  for (const entry of expected) if (!entries.includes(entry)) found.push(`entry: ${entry.slice(0, 100)}`)
  if (entries.length !== expected.length) found.push(`${entries.length} entries, not ${expected.length}`)

  const files = new Map(skills.flatMap((skill) => skill.files).map((file) => [file.uri, file]))
  const compare = async ({ uri, bytes, kind, mimeType }: SkillFile): Promise<void> => {
    const result = await ask('resources/read', { uri })
    const [content] = (result as { contents: Record<string, string>[] } | undefined)?.contents ?? []
    const { text, blob } = content ?? {}
    const served = text === undefined ? Buffer.from(blob ?? '', 'base64') : Buffer.from(text)
    if (!content || !served.equals(bytes)) found.push(`bytes: ${uri}`)
    else if ((text !== undefined) !== (kind === 'text') || content['mimeType'] !== mimeType)
      found.push(`kind: ${uri}`)
  }
  const waiting = [...files.values()]
  const work = async (): Promise<void> => {
    for (let file = waiting.pop(); file; file = waiting.pop()) await compare(file)
  }
  await Promise.all(Array.from({ length: 16 }, work))
  return found
}

/** The same of a compiled set as it came out of a bundler. */
export function differencesOf(skills: readonly CompiledSkill[], compiled: CompiledSkills): Promise<string[]> {
  return differences(skills, 'http://localhost/', serveSkills(compiled, info).fetch)
}
