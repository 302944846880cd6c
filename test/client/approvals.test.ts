import type { ApprovalRequest, SkillHostOptions } from '@embed-skills/client'
import { memoryApprovals, SkillHost } from '@embed-skills/client'
import { expect, test } from 'vitest'
import { connect, entryOf, rawSkill, RawServer, skillMd } from './support/servers.ts'

const one = rawSkill('refunds', [{ path: 'a.md', text: 'one' }], { 'allowed-tools': 'Bash(git diff:*) Read' })
const two = rawSkill('refunds', [{ path: 'b.md', text: 'two' }], { 'allowed-tools': 'Bash' })
const ref = { server: 'acme', uri: 'skill://refunds/SKILL.md' }

async function hostOf(
  server: RawServer,
  options: SkillHostOptions = {},
  identity?: string,
): Promise<SkillHost> {
  const host = new SkillHost(options)
  await host.addServer('acme', await connect(server.fetch), identity === undefined ? {} : { identity })
  return host
}

test('N18: an approval is of a set of files: with another set it is void, and the difference is shown', async () => {
  let now = 0
  const asked: ApprovalRequest[] = []
  let answer = true
  const server = new RawServer([one])
  const options: SkillHostOptions = {
    now: () => now,
    defaultTtlMs: 1,
    onApprovalRequired: (request) => (asked.push(request), answer),
  }
  const host = await hostOf(server, options)
  await host.approve(ref)
  expect(await host.load(ref)).toMatchObject({ approved: true })
  expect(asked).toEqual([])

  server.serve([two])
  now = 2
  await host.skills()
  expect(await host.approval(ref)).toEqual({
    state: 'changed',
    changes: {
      added: ['skill://refunds/b.md'],
      removed: ['skill://refunds/a.md'],
      changed: ['skill://refunds/SKILL.md'],
    },
  })
  // What is in context already is acted on without approval from here on.
  expect(await host.actingOn()).toMatchObject([{ approved: false }])
  answer = false
  await expect(host.load(ref)).rejects.toMatchObject({ code: 'approval-required' })
  answer = true
  expect(await host.load(ref)).toMatchObject({ approved: true })
  expect(asked.map(({ reason, changes }) => [reason, changes?.added])).toEqual([
    ['changed', ['skill://refunds/b.md']],
    ['changed', ['skill://refunds/b.md']],
  ])
})

test('N18: a void approval stays void when the old files come back', async () => {
  let now = 0
  const server = new RawServer([one])
  const host = await hostOf(server, { now: () => now, defaultTtlMs: 1 }, 'https://acme.example')
  await host.approve(ref)
  for (const skill of [two, one]) {
    server.serve([skill])
    now += 2
    await host.skills()
  }
  expect(await host.approval(ref)).toMatchObject({ state: 'changed' })
  await expect(host.load(ref)).rejects.toMatchObject({ code: 'approval-required' })
})

test('N18: an approval is void as well when the skill has no digests for a while', async () => {
  let now = 0
  const server = new RawServer([one])
  const host = await hostOf(server, { now: () => now, defaultTtlMs: 1 }, 'https://acme.example')
  await host.approve(ref)
  server.serve([{ entry: { ...one.entry, resources: 'dynamic' }, files: one.files }])
  now = 2
  await host.skills()
  expect(await host.approval(ref)).toMatchObject({ state: 'changed', changes: { removed: { length: 2 } } })
  await expect(host.load(ref)).rejects.toMatchObject({ code: 'approval-required' })
  server.serve([one])
  now = 4
  await host.skills()
  expect(await host.approval(ref)).toMatchObject({ state: 'changed' })
})

test('N18: what was shown is what is approved, though the server has moved on since', async () => {
  let now = 0
  const server = new RawServer([one])
  const host = await hostOf(server, { now: () => now, defaultTtlMs: 1 })
  const [shown] = await host.skills()
  server.serve([two])
  now = 2
  await host.skills()
  await host.approve(shown!)
  expect(await host.approval(ref)).toMatchObject({ state: 'changed' })
})

test('N18: allowed-tools is ignored until it was approved by itself', async () => {
  const host = await hostOf(new RawServer([one]))
  await host.load(ref)
  expect(await host.allowedTools(ref)).toEqual([])
  await host.approve(ref)
  expect(await host.allowedTools(ref)).toEqual([])
  await host.approve(ref, { allowedTools: true })
  expect(await host.allowedTools(ref)).toEqual(['Bash(git diff:*)', 'Read'])
  await host.revoke(ref)
  expect(await host.allowedTools(ref)).toEqual([])
})

test('N18: an approval is of what the user was shown: of other frontmatter with the same files it is none', async () => {
  let now = 0
  const asked: ApprovalRequest[] = []
  const { entry, files } = one
  const { 'allowed-tools': _, ...harmless } = entry.frontmatter
  const server = new RawServer([{ entry: { ...entry, frontmatter: harmless }, files }])
  const options: SkillHostOptions = {
    now: () => now,
    defaultTtlMs: 1,
    requireApproval: true,
    onApprovalRequired: (request) => (asked.push(request), { allowedTools: true }),
  }
  const host = await hostOf(server, options, 'https://acme.example')
  // The lie comes out, but only after the user has said yes to it.
  await expect(host.load(ref)).rejects.toMatchObject({ reason: 'frontmatter' })
  server.serve([one])
  now = 2
  await host.skills()
  expect(await host.allowedTools(ref)).toEqual([])
  expect(await host.approval(ref)).toEqual({
    state: 'changed',
    changes: { added: [], removed: [], changed: [ref.uri] },
  })
  await host.load(ref)
  expect(asked.map(({ reason, allowedTools }) => [reason, allowedTools])).toEqual([
    ['policy', []],
    ['changed', ['Bash(git diff:*)', 'Read']],
  ])
  expect(await host.allowedTools(ref)).toEqual(['Bash(git diff:*)', 'Read'])

  // In whatever order a server writes the fields, they are the same.
  const turned = Object.fromEntries(
    Object.entries(entry.frontmatter).toReversed(),
  ) as typeof entry.frontmatter
  server.serve([{ entry: { ...entry, frontmatter: turned }, files }])
  now = 4
  await host.skills()
  expect(await host.approval(ref)).toMatchObject({ state: 'approved' })

  // What is not loaded has no tools but those that were approved.
  await host.unload(ref)
  server.serve([
    { entry: { ...entry, frontmatter: { ...entry.frontmatter, 'allowed-tools': 'Bash' } }, files },
  ])
  now = 6
  await host.skills()
  expect(await host.allowedTools(ref)).toEqual([])
})

test('N18: the approval of a skill does not cover one that is nested in it', async () => {
  const inner = { path: 'inner/SKILL.md', text: skillMd('inner').text! }
  const outerFiles = [skillMd('outer'), inner]
  const server = new RawServer([
    { entry: entryOf('outer', outerFiles), files: outerFiles },
    { entry: entryOf('outer/inner', [skillMd('inner')]), files: [skillMd('inner')] },
  ])
  const asked: ApprovalRequest[] = []
  const host = await hostOf(server, { onApprovalRequired: (request) => (asked.push(request), false) })
  const outer = await host.find('acme', 'outer')
  await host.approve(outer)
  await host.load(outer)
  // Read as a file of the outer one it is text, and no skill.
  expect((await host.readFile(outer, 'inner/SKILL.md')).text).toContain('name: inner')
  await expect(host.load(await host.find('acme', 'inner'))).rejects.toMatchObject({
    code: 'approval-required',
  })
  expect(asked).toMatchObject([{ reason: 'nested', skill: { name: 'inner', nested: true } }])
})

test('N18: the approval of a dynamic skill ends with it, and is never stored', async () => {
  const { entry, files } = one
  const approvals = memoryApprovals()
  const stored: unknown[] = []
  const store = {
    ...approvals,
    set: (...given: Parameters<typeof approvals.set>) => (stored.push(given), approvals.set(...given)),
  }
  const server = new RawServer([{ entry: { ...entry, resources: 'dynamic' }, files }])
  const host = await hostOf(server, { approvals: store, requireApproval: true }, 'https://acme.example')
  await host.approve(ref)
  expect(await host.load(ref)).toMatchObject({ approved: true, verified: false })
  await host.unload(ref)
  await expect(host.load(ref)).rejects.toMatchObject({ code: 'approval-required' })
  expect(stored).toEqual([])

  const refusing = await hostOf(server, { dynamic: 'refuse' })
  await expect(refusing.load(ref)).rejects.toMatchObject({ code: 'dynamic-refused' })
})

test('N18: an approval is of a connection: the same label for another server has none', async () => {
  const approvals = memoryApprovals()
  const server = new RawServer([one])
  const first = await hostOf(server, { approvals }, 'https://acme.example/mcp')
  await first.approve(ref)
  const again = await hostOf(server, { approvals }, 'https://acme.example/mcp')
  expect(await again.approval(ref)).toMatchObject({ state: 'approved' })
  const other = await hostOf(server, { approvals }, 'https://evil.example/mcp')
  expect(await other.approval(ref)).toEqual({ state: 'none' })
  const unknown = await hostOf(server, { approvals })
  expect(await unknown.approval(ref)).toEqual({ state: 'none' })

  // Without an identity it lasts as long as the connection.
  await unknown.approve(ref)
  expect(await unknown.approval(ref)).toMatchObject({ state: 'approved' })
  await unknown.removeServer('acme')
  await unknown.addServer('acme', await connect(server.fetch))
  expect(await unknown.approval(ref)).toEqual({ state: 'none' })
})
