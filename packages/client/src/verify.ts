/** Reads a deployed server completely, and compares what it serves with what it says, and with a lock. */
import type { Skill, SkillResource, SkillsLock } from '@embed-skills/runtime'
import type { Client } from '@modelcontextprotocol/client'
import { SkillsClient, SkillVerificationError } from '@modelcontextprotocol/client/ext/skills'
import { verifyDirectories } from './verify-directories.ts'
import { compareWithLock } from './verify-lock.ts'
import type { Listing } from './listing.ts'
import { sortedJson } from './json.ts'
import { acceptable } from './listing.ts'
import { canonical, filePathOf, filesOf } from './ref.ts'

export interface VerifyOptions {
  /** What was to be deployed. */
  readonly lock?: SkillsLock
  /** Whether skills that are not in the lock, computed ones say, are no differences from it. */
  readonly ignoreUnlocked?: boolean
  /** Called as each skill is done. */
  readonly onSkill?: (skill: VerifiedSkill) => void
  readonly signal?: AbortSignal
}

/** What differs: of which skill, in which file, in which field. */
export interface VerifyProblem {
  /** The URI of the skill's `SKILL.md`; the lock's skill path where nothing is served. */
  readonly skill: string
  /** The path below the skill, if it is about a file. */
  readonly file?: string
  /**
   * `entry` breaks the rules, `digest`, `size` or `frontmatter` is not what the entry says, `read` failed,
   * `get` differs from the listing, `directory` differs from the manifest, `lock` from the lock.
   */
  readonly field: 'entry' | 'digest' | 'size' | 'frontmatter' | 'read' | 'get' | 'directory' | 'lock'
  readonly message: string
}

export interface VerifiedSkill {
  readonly uri: string
  readonly files: number
  readonly bytes: number
  /** It has no digests: only its `SKILL.md` was read, and only its frontmatter compared. */
  readonly dynamic: boolean
  readonly problems: readonly VerifyProblem[]
}

export interface VerifyReport {
  readonly skills: readonly VerifiedSkill[]
  /** Of all skills, and of what is in the lock or the listing and is no skill. */
  readonly problems: readonly VerifyProblem[]
}

/**
 * Reads every file of every listed skill through the official client.
 *
 * @throws Error if the server does not declare the Skills extension, or cannot be listed.
 *
 * @example
 * const { problems } = await verifyServer(client, { lock: parseLock(text) })
 */
export async function verifyServer(
  client: Client,
  { lock, ignoreUnlocked = false, onSkill, signal }: VerifyOptions = {},
): Promise<VerifyReport> {
  const reader = new SkillsClient(client, { skipInvalid: true })
  if (!reader.supported)
    throw new Error('The server does not declare the Skills extension (io.modelcontextprotocol/skills).')
  // What the client remembers of an earlier answer is not what is deployed.
  const options = { cacheMode: 'refresh' as const, ...(signal && { signal }) }
  const { skills, invalid } = acceptable((await reader.list({}, options)) as Listing)
  const verified: VerifiedSkill[] = []
  for (const skill of skills) {
    const done = await verifySkill(reader, skill, options)
    onSkill?.(done)
    verified.push(done)
  }
  const problems = [
    ...invalid.map(({ uri, index, reason }): VerifyProblem => {
      return { skill: uri ?? `entry ${index}`, field: 'entry', message: reason }
    }),
    ...verified.flatMap((skill) => skill.problems),
    ...(lock ? compareWithLock(lock, skills, ignoreUnlocked) : []),
  ]
  return { skills: verified, problems }
}

type RequestOptions = Parameters<SkillsClient['get']>[1]

async function verifySkill(
  reader: SkillsClient,
  skill: Skill,
  options: RequestOptions,
): Promise<VerifiedSkill> {
  const uri = canonical(skill.uri)
  const dynamic = skill.resources === 'dynamic'
  const files = dynamic ? [{ uri: skill.uri }] : (skill.resources as readonly SkillResource[])
  const own = files.find((file) => canonical(file.uri) === uri)
  // The reader checks all of an entry anew with each file: of a long one that takes the square of its length.
  const entryOf = (file: unknown): unknown =>
    dynamic ? skill : { ...skill, resources: [...new Set([own, file])] }
  const problems = await verifyEntry(reader, skill, options)
  let bytes = 0
  for (const file of files)
    try {
      bytes += (await reader.read(entryOf(file) as never, file.uri, options)).bytes.length
    } catch (error) {
      problems.push({ skill: uri, file: filePathOf(skill.uri, file.uri), ...explain(error as Error) })
    }
  if (reader.directoryRead && !dynamic) problems.push(...(await verifyDirectories(reader, skill, options)))
  return { uri, files: files.length, bytes, dynamic, problems }
}

/** Whether `skills/get` says of a skill what the listing says. */
async function verifyEntry(
  reader: SkillsClient,
  skill: Skill,
  options: RequestOptions,
): Promise<VerifyProblem[]> {
  const uri = canonical(skill.uri)
  try {
    const { skill: got } = (await reader.get(skill.uri, options)) as { skill: Skill }
    const problems: VerifyProblem[] = []
    if (sortedJson(got.frontmatter) !== sortedJson(skill.frontmatter))
      problems.push({ skill: uri, field: 'get', message: 'its frontmatter is not that of the listing' })
    const [ours, theirs] = [filesOf(skill), filesOf(got)]
    for (const path of new Set([...ours.keys(), ...theirs.keys()]))
      if (describeFile(ours.get(path)) !== describeFile(theirs.get(path)))
        problems.push({
          skill: uri,
          file: path,
          field: 'get',
          message: `skills/get lists ${describeFile(theirs.get(path))}, skills/list ${describeFile(ours.get(path))}`,
        })
    return problems
  } catch (error) {
    return [{ skill: uri, field: 'get', message: (error as Error).message }]
  }
}

function describeFile(file: { digest: string; size: number } | undefined): string {
  return file ? `${file.digest} of ${file.size} bytes` : 'no such file'
}

function explain(error: Error): Pick<VerifyProblem, 'field' | 'message'> {
  const reason = error instanceof SkillVerificationError ? error.reason : 'read'
  return { field: reason === 'unlisted' ? 'read' : reason, message: error.message }
}
