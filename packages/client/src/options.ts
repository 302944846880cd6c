import type { SkillsClientOptions } from '@modelcontextprotocol/client/ext/skills'
import type { ApprovalRequest, ApprovalStore } from './approvals.ts'
import type { SkillCache } from './cache.ts'
import type { ConnectDependencies } from './dependencies.ts'
import type { SkillLimits } from './limits.ts'
import type { SkillRef } from './ref.ts'
import type { UnloadedSkill } from './skill.ts'
import { memoryApprovals } from './approvals.ts'
import { DEFAULT_LIMITS } from './limits.ts'

type MaybePromise<T> = T | Promise<T>

/** A skill wants to read a file of another server. */
export interface CrossServerRead {
  /** The skill that the read is made for. */
  readonly skill: SkillRef
  /** The label of the other server. */
  readonly server: string
  /** What is to be read there. */
  readonly fileUri: string
}

export interface SkillHostOptions {
  /** Larger skills are refused before anything of them is read. 512 files and 16 MiB unless said. */
  readonly limits?: Partial<SkillLimits>
  /** Where approvals are kept; in memory unless said. `createSkillHost` of `./node` keeps them in a file. */
  readonly approvals?: ApprovalStore
  /** Where verified files are kept. `diskCache` of `./node` keeps them in a folder. */
  readonly cache?: SkillCache
  /** Whether every skill needs an approval before it is loaded; `false` unless said. Some always do. */
  readonly requireApproval?: boolean
  /** Whether skills without digests may be loaded; `allow` unless said. */
  readonly dynamic?: 'allow' | 'refuse'
  /** Names of skills that the host has from elsewhere, from disk say: `collisions()` counts them in. */
  readonly localSkills?: readonly string[]
  /** How long a listing lasts where its server does not say, in milliseconds; five minutes unless said. */
  readonly defaultTtlMs?: number
  /**
   * How long a server may take over one page of its listing, in milliseconds; 15 seconds unless said.
   * All pages together may take four times as long.
   */
  readonly listTimeoutMs?: number
  /** Reads YAML in place of the official client's own reader, which knows a part of YAML only. */
  readonly parseFrontmatter?: SkillsClientOptions['parseFrontmatter']
  /** Asks the user. `true` approves the skill, `{ allowedTools: true }` its `allowed-tools` as well. */
  readonly onApprovalRequired?: (
    request: ApprovalRequest,
  ) => MaybePromise<boolean | { readonly allowedTools: boolean }>
  /** Connects servers that an approved skill needs, and says whether all of them are connected now. */
  readonly onDependenciesRequired?: ConnectDependencies
  /** Asks the user, naming both servers, whenever a skill's file is to be read from another server. */
  readonly onCrossServerRead?: (read: CrossServerRead) => MaybePromise<boolean>
  /** A skill is no longer acted on. */
  readonly onSkillUnloaded?: (unloaded: UnloadedSkill) => MaybePromise<void>
  /** A server said that its listing has changed: what `skills()` gives next will be new. */
  readonly onSkillsChanged?: (server: string) => void
  /** Milliseconds since some fixed time; `Date.now` unless said. */
  readonly now?: () => number
}

export interface ResolvedOptions extends Omit<SkillHostOptions, 'limits'> {
  readonly limits: SkillLimits
  readonly approvals: ApprovalStore
  readonly requireApproval: boolean
  readonly dynamic: 'allow' | 'refuse'
  readonly localSkills: readonly string[]
  readonly defaultTtlMs: number
  readonly listTimeoutMs: number
  readonly now: () => number
}

export function resolveOptions(options: SkillHostOptions): ResolvedOptions {
  return {
    ...options,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    approvals: options.approvals ?? memoryApprovals(),
    requireApproval: options.requireApproval ?? false,
    dynamic: options.dynamic ?? 'allow',
    localSkills: options.localSkills ?? [],
    defaultTtlMs: options.defaultTtlMs ?? 5 * 60 * 1000,
    listTimeoutMs: options.listTimeoutMs ?? 15_000,
    now: options.now ?? Date.now,
  }
}
