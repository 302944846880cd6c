/**
 * What the user has approved. An approval is of one skill of one connection, of exactly the files that its entry
 * listed, and of the frontmatter that the user was shown: with any other it is void.
 */
import type { Skill } from '@embed-skills/runtime'
import type { HostSkill } from './skill.ts'
import { sortedJson } from './json.ts'
import { canonical } from './ref.ts'

/** Whose approval, and of what: the label alone would not do, since labels are used again. */
export interface ApprovalKey {
  readonly server: string
  /** What the label stood for: the server's URL or command, and its account where that matters. */
  readonly identity: string
  readonly uri: string
}

/** What was approved. */
export interface Approval {
  /** The digest of every file, by its URI. */
  readonly files: Readonly<Record<string, string>>
  /**
   * A digest of the frontmatter that was shown. Nobody has compared it with `SKILL.md` by then: a server could show
   * less than it asks for, and correct itself once it is approved.
   */
  readonly frontmatter: string
  /** Whether `allowed-tools` of this skill was approved too. */
  readonly allowedTools: boolean
  /** Whether other files were seen since: it is void then, even if these come back. */
  readonly revoked?: boolean
}

/** Where approvals are kept. */
export interface ApprovalStore {
  get(key: ApprovalKey): Approval | undefined | Promise<Approval | undefined>
  set(key: ApprovalKey, approval: Approval): void | Promise<void>
  delete(key: ApprovalKey): void | Promise<void>
}

/** How the files of a skill differ from those that were approved; URIs. */
export interface FileChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
}

/** Whether a skill is approved as it is now. */
export type ApprovalState =
  | { readonly state: 'approved'; readonly allowedTools: boolean }
  | { readonly state: 'none' }
  /** It was approved, and has had other files since. */
  | { readonly state: 'changed'; readonly changes: FileChanges }

/** A question for the user. */
export interface ApprovalRequest {
  readonly skill: HostSkill
  /** `policy` by `requireApproval`, else why this skill needs one in any case. */
  readonly reason: 'policy' | 'nested' | 'changed' | 'dependencies'
  /** What is different from the last approval. */
  readonly changes?: FileChanges
  /** The tools that the skill would like to use unasked; ignored unless the answer grants them. */
  readonly allowedTools: readonly string[]
  /** The labels of the servers that the skill would like to have connected. */
  readonly dependencies: readonly string[]
}

/** Keeps approvals for as long as the process runs. */
export function memoryApprovals(): ApprovalStore {
  const approvals = new Map<string, Approval>()
  const key = ({ server, identity, uri }: ApprovalKey): string => JSON.stringify([server, identity, uri])
  return {
    get: (of) => approvals.get(key(of)),
    set: (of, approval) => void approvals.set(key(of), approval),
    delete: (of) => void approvals.delete(key(of)),
  }
}

/** The approval of a skill as it is shown. A dynamic one names no files: it covers nothing that lasts. */
export async function approvalOf(
  { frontmatter, resources }: Pick<Skill, 'frontmatter' | 'resources'>,
  allowedTools: boolean,
): Promise<Approval> {
  return { files: digestsOf({ resources }), frontmatter: await digestOf(frontmatter), allowedTools }
}

/** Compares what was approved with what is there now. */
export async function approvalState(
  approval: Approval | undefined,
  skill: Pick<Skill, 'uri' | 'frontmatter' | 'resources'>,
): Promise<ApprovalState> {
  if (!approval) return { state: 'none' }
  const changes = compareFiles(approval.files, digestsOf(skill))
  if (changes) return { state: 'changed', changes }
  const none = { added: [], removed: [], changed: [] }
  if (approval.frontmatter !== (await digestOf(skill.frontmatter)))
    return { state: 'changed', changes: { ...none, changed: [canonical(skill.uri)] } }
  if (approval.revoked) return { state: 'changed', changes: none }
  return { state: 'approved', allowedTools: approval.allowedTools }
}

/** How the files of one entry differ from those of another; nothing if they do not. */
export function changesBetween(
  before: Pick<Skill, 'resources'>,
  after: Pick<Skill, 'resources'>,
): FileChanges | undefined {
  return compareFiles(digestsOf(before), digestsOf(after))
}

/** The digest of every file, by its URI. */
export function digestsOf({ resources }: Pick<Skill, 'resources'>): Record<string, string> {
  const files = resources === 'dynamic' ? [] : resources
  const digests = files.map(({ uri, digest }): [string, string] => [canonical(uri), digest])
  return Object.fromEntries(digests.sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function digestOf(value: unknown): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(sortedJson(value)))
  const hex = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0'))
  return `sha256:${hex.join('')}`
}

/** The differences between two sets of digests by URI; nothing if there are none. */
function compareFiles(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): FileChanges | undefined {
  const added = Object.keys(after).filter((uri) => !Object.hasOwn(before, uri))
  const removed = Object.keys(before).filter((uri) => !Object.hasOwn(after, uri))
  const changed = Object.keys(after).filter((uri) => Object.hasOwn(before, uri) && before[uri] !== after[uri])
  return added.length || removed.length || changed.length ? { added, removed, changed } : undefined
}

/** The tools in a skill's `allowed-tools`: `Bash(git diff:*) Read`, by spaces or commas, or as a list. */
export function allowedToolsOf(frontmatter: Skill['frontmatter']): string[] {
  const field = frontmatter['allowed-tools']
  if (Array.isArray(field)) return field.filter((tool) => typeof tool === 'string')
  return typeof field === 'string' ? splitTools(field) : []
}

/** What stands in parentheses is kept together; where one is not closed, all that follows is. */
function splitTools(field: string): string[] {
  const tools: string[] = []
  let start = 0
  let depth = 0
  for (let at = 0; at <= field.length; at++) {
    const character = field[at]
    if (character === '(') depth++
    else if (character === ')') depth = Math.max(0, depth - 1)
    const ends = character === undefined || (depth === 0 && /[\s,]/.test(character))
    if (!ends) continue
    if (at > start) tools.push(field.slice(start, at))
    start = at + 1
  }
  return tools
}

/** The labels in a skill's `dependencies`, each once: a wish that nothing has checked. */
export function dependenciesOf(frontmatter: Skill['frontmatter']): string[] {
  const field = frontmatter['dependencies']
  return Array.isArray(field) ? [...new Set(field.filter((label) => typeof label === 'string'))] : []
}
