/** Verified reads, through the cache where there is one. */
import type { Skill, SkillResource } from '@embed-skills/runtime'
import type { SkillFile as RawFile, SkillsClientOptions } from '@modelcontextprotocol/client/ext/skills'
import { SkillVerificationError } from '@modelcontextprotocol/client/ext/skills'
import type { SkillCache } from './cache.ts'
import type { SkillLimits } from './limits.ts'
import type { SkillServer } from './server.ts'
import type { SkillFile } from './skill.ts'
import { fileContent } from './content.ts'
import { SkillHostError } from './errors.ts'
import { checkLimits } from './limits.ts'
import { canonical, filePathOf, filesOf, rootOf } from './ref.ts'
import { verifyBytes } from './replay.ts'
import { decodeText } from './text.ts'

export interface ReadOptions {
  readonly limits: SkillLimits
  readonly cache?: SkillCache | undefined
  readonly parseFrontmatter?: SkillsClientOptions['parseFrontmatter']
  readonly signal?: AbortSignal | undefined
}

/** A file as it was verified; for the skill's own `SKILL.md` with the frontmatter and what follows it. */
export interface VerifiedFile extends SkillFile {
  readonly body?: string
}

/**
 * Reads one file of the entry. Nothing that the entry does not list is asked for.
 *
 * @param path A path below the skill as its manifest spells it, a reference as `SKILL.md` has it, or a URI.
 * @throws SkillVerificationError if the file is not listed, or is not what the entry says.
 * @throws SkillHostError `over-limit`
 */
export async function readSkillFile(
  server: SkillServer,
  skill: Skill,
  path: string,
  options: ReadOptions,
): Promise<VerifiedFile> {
  checkLimits(skill, options.limits)
  const listed = listedFile(skill, path)
  const file = await (listed
    ? readListed(server, skill, listed, options)
    : read(server, skill, path, options))
  return describe(server, skill, file)
}

/** The file that a path means, by its plain name first: `50% off #1.md` is a name before it is a URL. */
function listedFile(skill: Skill, path: string): SkillResource | undefined {
  const plain = path.replace(/^(?:\.\/)+/, '')
  const named = filesOf(skill).get(plain) as SkillResource | undefined
  if (named || skill.resources === 'dynamic' || !URL.canParse(path, `${rootOf(skill.uri)}/`)) return named
  const target = new URL(path, `${rootOf(skill.uri)}/`)
  target.hash = ''
  return skill.resources.find(({ uri }) => canonical(uri) === target.href)
}

async function readListed(
  server: SkillServer,
  skill: Skill,
  { uri, digest }: SkillResource,
  options: ReadOptions,
): Promise<RawFile> {
  const { cache, parseFrontmatter } = options
  // Without an identity, a label says too little about whose files these are.
  if (!cache || server.identity === undefined) return read(server, skill, uri, options)
  const key = { server: server.label, identity: server.identity, skill: canonical(skill.uri), digest }
  // A cache that fails, on a full disk say, is as good as none.
  const cached = await cache.get(key).catch(() => undefined)
  if (cached)
    try {
      return await verifyBytes(skill, uri, cached, { ...(parseFrontmatter && { parseFrontmatter }) })
    } catch (error) {
      // Not what was put there: as good as not there.
      if (!(error instanceof SkillVerificationError)) throw error
    }
  const file = await read(server, skill, uri, options)
  const { bytes, mimeType } = file
  await server
    .keep(() => cache.set(key, { bytes, ...(mimeType !== undefined && { mimeType }) }))
    .catch(() => {})
  return file
}

async function read(
  server: SkillServer,
  skill: Skill,
  path: string,
  { limits, signal }: ReadOptions,
): Promise<RawFile> {
  const file = await server.reader.read(skill as never, path, signal ? { signal } : undefined)
  // A dynamic skill has no size until it has been read.
  if (file.bytes.length > limits.bytes)
    throw new SkillHostError(
      'over-limit',
      `${file.uri} has ${file.bytes.length} bytes; this host accepts ${limits.bytes}.`,
    )
  return file
}

function describe(server: SkillServer, skill: Skill, file: RawFile): VerifiedFile {
  const { bytes, mimeType, verified, body } = file
  const text = decodeText(bytes)
  const path = filePathOf(skill.uri, file.uri)
  const origin = { server: server.label, uri: canonical(skill.uri) }
  return {
    ...origin,
    path,
    fileUri: file.uri,
    bytes,
    verified,
    ...(mimeType !== undefined && { mimeType }),
    ...(body !== undefined && { body }),
    ...(text !== undefined && { text, content: fileContent(origin, path, text) }),
  }
}
