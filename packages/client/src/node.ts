/**
 * What a host on Node keeps on disk, and how it connects from there.
 *
 * @example
 * import { connectServer, createSkillHost, diskCache, syncSkills } from '@embed-skills/client/node'
 *
 * const host = createSkillHost('my-host', { cache: diskCache('/home/me/.cache/my-host') })
 * const { client, identity } = await connectServer({ url: 'https://acme.example/mcp' })
 * await host.addServer('acme', client, { identity })
 * await syncSkills(host, { to: 'vendor/skills' })
 *
 * @module
 */
export type { ConnectedServer, ServerTarget } from './node/connect.ts'
export type { SyncedSkill, SyncOptions, SyncProgress } from './node/sync.ts'
export { boundedFetch } from './node/bounded-fetch.ts'
export { connectServer } from './node/connect.ts'
export { approvalsFile, createSkillHost } from './node/create-host.ts'
export { diskCache } from './node/disk-cache.ts'
export { fileApprovals } from './node/file-approvals.ts'
export { isScannedFolder } from './node/scanned.ts'
export { downloadSkill, syncSkills } from './node/sync.ts'
