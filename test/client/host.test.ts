import { SkillHost } from '@embed-skills/client'
import { createMcpHandler, InMemoryTransport, McpServer } from '@modelcontextprotocol/server'
import type { Skill, SkillCatalog } from '@embed-skills/runtime'
import { attachSkills } from '@embed-skills/runtime/mcp'
import { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { connect, entryOf, info, officialServer, rawSkill, RawServer, skillMd } from './support/servers.ts'

const sources = ['skills/**', { from: 'billing/*', prefix: 'acme/billing' }]

test.each(['auto', 'legacy'] as const)(
  'N18: a real server is listed, loaded and read in full (%s)',
  async (mode) => {
    const host = new SkillHost({ onApprovalRequired: () => true })
    await host.addServer(
      'acme',
      await connect(await officialServer(sources), { versionNegotiation: { mode } }),
    )
    const skills = await host.skills()
    expect(skills.length).toBeGreaterThan(5)
    for (const skill of skills) {
      expect(await host.load(skill)).toMatchObject({ verified: true, name: skill.name })
      for (const { uri } of skill.resources as readonly { uri: string }[])
        expect(await host.readFile(skill, uri)).toMatchObject({ verified: true, server: 'acme' })
    }
    // The names that a model sees are names, whatever a URL would make of them.
    const copy = await host.find('acme', 'localised-copy')
    for (const name of ['50% off #1.md', 'Q&A.md', 'Français – ton.md', '日本語.md'])
      expect(await host.readFile(copy, `references/${name}`)).toMatchObject({ path: `references/${name}` })
  },
)

test('N18: nothing of a skill is fetched before it is loaded', async () => {
  const server = new RawServer([rawSkill('refunds'), rawSkill('billing')])
  const host = new SkillHost()
  await host.addServer('acme', await connect(server.fetch))
  const [refunds] = await host.skills()
  await host.contexts()
  await host.approve(refunds!)
  expect(server.count('resources/read')).toBe(0)
  await host.load(refunds!)
  expect(server.asked.at(-1)).toMatchObject({ params: { uri: refunds!.uri } })
  expect(server.count('resources/read')).toBe(1)
})

test('S5: equal URIs of two servers are two skills, and a name is looked for at its own server', async () => {
  const host = new SkillHost({ localSkills: ['billing'] })
  for (const label of ['a', 'b']) {
    const skills = [rawSkill('refunds', [], { body: `Of ${label}` }), rawSkill('billing')]
    await host.addServer(label, await connect(new RawServer(skills).fetch))
  }
  const refs = [await host.find('a', 'refunds'), await host.find('b', 'refunds')]
  expect(refs[0]!.uri).toBe(refs[1]!.uri)
  expect((await host.load(refs[1]!)).body).toContain('Of b')
  expect((await host.actingOn()).map(({ server, name }) => [server, name])).toEqual([['b', 'refunds']])
  expect(host.isLoaded(refs[0]!)).toBe(false)
  expect(
    host.collisions().map(({ name, skills, local }) => [name, skills.map(({ server }) => server), local]),
  ).toEqual([
    ['refunds', ['a', 'b'], false],
    ['billing', ['a', 'b'], true],
  ])
})

test('S5: one name twice at one server is told apart by URI', async () => {
  const host = new SkillHost()
  const files = [skillMd('refunds')]
  const skills = ['acme/refunds', 'beta/refunds'].map((path) => ({ entry: entryOf(path, files), files }))
  await host.addServer('a', await connect(new RawServer(skills).fetch))
  await expect(host.find('a', 'refunds')).rejects.toMatchObject({
    code: 'ambiguous-name',
    message: expect.stringContaining('skill://beta/refunds/SKILL.md'),
  })
  const ref = await host.find('a', 'skill://beta/refunds/SKILL.md')
  expect(await host.load(ref)).toMatchObject({ uri: ref.uri })
})

test('N18: a skill that is in no listing is loaded by its URI', async () => {
  const server = new RawServer([rawSkill('refunds')])
  server.answers['skills/list'] = () => ({ skills: [] })
  const host = new SkillHost()
  await host.addServer('a', await connect(server.fetch))
  expect(await host.skills()).toEqual([])
  const ref = await host.find('a', 'skill://refunds/SKILL.md')
  expect(await host.load(ref)).toMatchObject({ name: 'refunds', verified: true })
  await expect(host.load({ server: 'a', uri: 'skill://none/SKILL.md' })).rejects.toThrow('No such thing')
})

test('N18: a listing is asked for again when its time is over, and not before', async () => {
  let now = 0
  const host = new SkillHost({ now: () => now })
  const server = new RawServer([rawSkill('refunds')])
  const list = server.answers['skills/list']!
  server.answers['skills/list'] = async (params) => ({ ...(await list(params)), ttlMs: 1000 })
  await host.addServer('a', await connect(server.fetch))
  now = 999
  await host.skills()
  expect(server.count('skills/list')).toBe(1)
  now = 1000
  server.serve([rawSkill('billing')])
  expect((await host.skills()).map(({ name }) => name)).toEqual(['billing'])
  expect(server.count('skills/list')).toBe(2)
})

test('N18: list_changed has the listing asked for again: unsolicited, as on 2025-11-25', async () => {
  const skills = [rawSkill('refunds')]
  const server = changingServer(skills)
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = new Client(info, { versionNegotiation: { mode: 'legacy' } })
  let told = 0
  client.setNotificationHandler('notifications/resources/list_changed', () => void told++)
  await server.connect(theirs)
  await client.connect(ours)
  await expectRefresh(client, skills, () => server.server.sendResourceListChanged())
  // The app's own handler is still there.
  expect(told).toBe(1)
})

test('N18: list_changed has the listing asked for again: subscribed to, as on 2026-07-28', async () => {
  const skills = [rawSkill('refunds')]
  const handler = createMcpHandler(() => changingServer(skills))
  const client = await connect((request) => handler.fetch(request))
  expect(client.getProtocolEra()).toBe('modern')
  // Nobody waits for the subscription to be opened: it is announced until it arrives.
  await expectRefresh(client, skills, (arrived) =>
    eventually(
      () => expect(arrived()).toBe(true),
      () => handler.notify.resourcesChanged(),
    ),
  )
  await handler.close()
})

test('N18: a server that was started anew is listened to again, from the next listing on', async () => {
  const skills = [rawSkill('refunds')]
  const start = (): ReturnType<typeof createMcpHandler> => createMcpHandler(() => changingServer(skills))
  let handler = start()
  const client = await connect((request) => handler.fetch(request))
  let [now, told] = [0, 0]
  const host = new SkillHost({ now: () => now, onSkillsChanged: () => void told++ })
  const announced = async (): Promise<void> => {
    const before = told
    await eventually(
      () => expect(told).toBeGreaterThan(before),
      () => handler.notify.resourcesChanged(),
    )
  }
  await host.addServer('a', client)
  await announced()
  await host.skills()

  const before = told
  const old = handler
  handler = start()
  await old.close()
  // What changed meanwhile is unknown.
  await eventually(() => expect(told).toBeGreaterThan(before))
  skills.push(rawSkill('billing'))
  now += 30_000
  expect(await host.skills()).toHaveLength(2)
  await announced()
  skills.pop()
  expect(await host.skills()).toHaveLength(1)
  await handler.close()
})

test('N18: a server that ends each subscription at once is not asked without end', async () => {
  const handler = createMcpHandler(() => changingServer([rawSkill('refunds')]))
  let listened = 0
  const client = await connect(async (request) => {
    const isListen = (await request.clone().text()).includes('"subscriptions/listen"')
    const response = await handler.fetch(request)
    if (!isListen) return response
    listened++
    const reader = response.body!.getReader()
    const { value } = await reader.read()
    await reader.cancel()
    return new Response(value as Uint8Array<ArrayBuffer>, response)
  })
  let now = 0
  let listings = 0
  let ended: (() => void) | undefined
  const host = new SkillHost({
    now: () => now,
    // An app that lists again whenever it is told to.
    onSkillsChanged: () => void (listings++, host.skills().then(() => ended?.())),
  })
  for (const times of [1, 2]) {
    const listed = new Promise<void>((resolve) => (ended = resolve))
    if (times === 1) await host.addServer('a', client)
    else await host.refresh('a')
    await listed
    for (let turn = 0; turn < 10; turn++) await host.refresh('a')
    expect({ listened, listings }).toEqual({ listened: times, listings: times })
    now += 30_000
  }
  await handler.close()
})

test('N18: a client that was connected anew is listened to as before', async () => {
  const skills = [rawSkill('refunds')]
  const client = new Client(info, { versionNegotiation: { mode: 'legacy' } })
  let told = 0
  const host = new SkillHost({ defaultTtlMs: 0, onSkillsChanged: () => void told++ })
  for (const times of [1, 2]) {
    const server = changingServer(skills)
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    await server.connect(theirs)
    await client.connect(ours)
    if (times === 1) await host.addServer('a', client)
    else await host.skills()
    await server.server.sendResourceListChanged()
    await eventually(() => expect(told).toBe(times))
    await client.close()
  }
  expect(told).toBe(2)
})

async function expectRefresh(
  client: Client,
  skills: ReturnType<typeof rawSkill>[],
  announce: (arrived: () => boolean) => Promise<void>,
): Promise<void> {
  let arrived = false
  let onSkillsChanged: ((label: string) => void) | undefined
  const changed = new Promise<string>((resolve) => {
    onSkillsChanged = (label) => {
      arrived = true
      resolve(label)
    }
  })
  const host = new SkillHost({ onSkillsChanged: (label) => onSkillsChanged?.(label) })
  await host.addServer('a', client)
  skills.push(rawSkill('billing'))
  expect(await host.skills()).toHaveLength(1)
  await announce(() => arrived)
  expect(await changed).toBe('a')
  expect(await host.skills()).toHaveLength(2)
  await host.removeServer('a')
  await client.close()
}

test("N18: a skill's files are read from its own server; another one only if the user says so, each time", async () => {
  const asked: unknown[] = []
  let answer = false
  const host = new SkillHost({ onCrossServerRead: (read) => (asked.push(read), answer) })
  const secret = { path: 'secret.md', text: 'of b' }
  const [a, b] = [new RawServer([rawSkill('refunds')]), new RawServer([rawSkill('refunds', [secret])])]
  await host.addServer('a', await connect(a.fetch))
  await host.addServer('b', await connect(b.fetch))
  const skill = await host.find('a', 'refunds')
  await host.load(skill)
  const uri = 'skill://refunds/secret.md'
  await expect(host.readFile(skill, uri)).rejects.toMatchObject({ reason: 'unlisted' })
  await expect(host.readFile(skill, uri, { from: 'b' })).rejects.toMatchObject({ code: 'cross-server' })
  answer = true
  expect(await host.readFile(skill, uri, { from: 'b' })).toMatchObject({
    server: 'b',
    text: 'of b',
    verified: true,
  })
  expect(asked).toEqual([1, 2].map(() => ({ skill, server: 'b', fileUri: uri })))
  await expect(host.readFile(skill, 'skill://refunds/none.md', { from: 'b' })).rejects.toMatchObject({
    code: 'cross-server',
  })
  expect(asked).toHaveLength(2)
  expect(b.count('resources/read')).toBe(1)
})

test('N18: a deploy in the middle is noticed: the next load takes the new version, a read says that it changed', async () => {
  const before = rawSkill('refunds', [{ path: 'a.md', text: 'one' }])
  const after = rawSkill('refunds', [{ path: 'a.md', text: 'two' }], { body: 'New' })
  const server = new RawServer([before])
  const host = new SkillHost()
  await host.addServer('a', await connect(server.fetch))
  const ref = await host.find('a', 'refunds')
  await host.load(ref)
  server.serve([after])
  await expect(host.readFile(ref, 'a.md')).rejects.toMatchObject({ code: 'changed' })
  expect((await host.load(ref)).body).toContain('New')
  expect(await host.readFile(ref, 'a.md')).toMatchObject({ text: 'two' })
})

test('S5: removing a server unloads its skills and leaves its label free', async () => {
  const unloaded: unknown[] = []
  const host = new SkillHost({ onSkillUnloaded: ({ skill }) => void unloaded.push(skill) })
  const client = await connect(new RawServer([rawSkill('refunds')]).fetch)
  await host.addServer('a', client)
  const ref = await host.find('a', 'refunds')
  await host.load(ref)
  await expect(host.addServer('a', client)).rejects.toMatchObject({ code: 'invalid-label' })
  for (const label of ['', '.claude', 'a/b', 'a b', '../x', 'x'.repeat(65)])
    await expect(host.addServer(label, client)).rejects.toMatchObject({ code: 'invalid-label' })
  await host.removeServer('a')
  expect(unloaded).toEqual([ref])
  expect(host.acting).toBe(false)
  await expect(host.load(ref)).rejects.toMatchObject({ code: 'unknown-server' })
  await host.addServer('a', client)
  expect(await host.skills()).toHaveLength(1)
})

test('N18: a server without the extension has no skills and is no failure', async () => {
  const handler = createMcpHandler(() => new McpServer(info))
  const host = new SkillHost()
  const status = await host.addServer('plain', await connect((request) => handler.fetch(request)))
  expect(status).toEqual({ label: 'plain', supported: false, skills: 0, invalid: [] })
})

/** A server whose listing is whatever `skills` holds by then, and which says so. */
function changingServer(skills: readonly ReturnType<typeof rawSkill>[]): McpServer {
  const server = new McpServer(info)
  const catalog: SkillCatalog = {
    cacheHints: { ttlMs: 60_000, cacheScope: 'private' },
    list: async () => ({ skills: skills.map(({ entry }) => entry as Skill) }),
    get: async () => ({ skill: skills[0]!.entry as Skill }),
    read: async () => ({ contents: [] }),
    resources: async () => ({ resources: [] }),
  }
  server.server.registerCapabilities({ resources: { listChanged: true } })
  attachSkills(server, catalog)
  return server
}
