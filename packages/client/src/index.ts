/**
 * The host half of Agent Skills over MCP, wherever the official client runs: the skills of many servers,
 * verified, approved, loaded and unloaded.
 *
 * @example
 * import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
 * import { SkillHost, skillTools } from '@embed-skills/client'
 *
 * const url = 'https://acme.example/mcp'
 * const client = new Client({ name: 'my-host', version: '1.0.0' })
 * await client.connect(new StreamableHTTPClientTransport(new URL(url)))
 *
 * const host = new SkillHost()
 * await host.addServer('acme', client, { identity: url })
 * const { text } = await host.contexts()
 * const tools = skillTools(host)
 *
 * @module
 */
export type {
  Approval,
  ApprovalKey,
  ApprovalRequest,
  ApprovalState,
  ApprovalStore,
  FileChanges,
} from './approvals.ts'
export type { CachedFile, CacheKey, SkillCache } from './cache.ts'
export type { Collision } from './collisions.ts'
export type { Contexts, ContextsOptions } from './contexts.ts'
export type { ConnectDependencies, DependencyRequest } from './dependencies.ts'
export type { SkillHostErrorCode } from './errors.ts'
export type { CallOptions } from './host.ts'
export type { SkillLimits } from './limits.ts'
export type { LockedSkills, SkillsLock } from '@embed-skills/runtime'
export type { CrossServerRead, SkillHostOptions } from './options.ts'
export type { SkillRef } from './ref.ts'
export type { ServerStatus } from './server.ts'
export type {
  ActingSkill,
  DirectoryEntry,
  HostSkill,
  LoadedSkill,
  SkillFile,
  UnloadedSkill,
} from './skill.ts'
export type { SkillTool, SkillToolName, ToolContent, ToolInputSchema, ToolResult } from './tools.ts'
export type { VerifiedSkill, VerifyOptions, VerifyProblem, VerifyReport } from './verify.ts'
export { memoryApprovals } from './approvals.ts'
export {
  ApprovalRequiredError,
  DependenciesRefusedError,
  SkillChangedError,
  SkillHostError,
} from './errors.ts'
export { SkillHost } from './host.ts'
export { DEFAULT_LIMITS } from './limits.ts'
export { parseLock } from './lock.ts'
export { scrubHistory, scrubUnloaded } from './scrub.ts'
export { estimateTokens, oneLine } from './text.ts'
export { skillTools } from './tools.ts'
export { verifyServer } from './verify.ts'
export { SkillVerificationError } from '@modelcontextprotocol/client/ext/skills'
