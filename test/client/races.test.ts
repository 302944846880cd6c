/** What happens at once: listings, loads, removals and calls that are given up, each in the other's middle. */
import { memoryApprovals, SkillHost } from '@embed-skills/client'
import type { ApprovalStore, CachedFile, HostSkill, SkillCache } from '@embed-skills/client'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { connect, info, rawSkill, RawServer } from './support/servers.ts'

const ref = { server: 'a', uri: 'skill://refunds/SKILL.md' }

/** A promise for later, and how to keep it. */
function later<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: ((value: T) => void) | undefined
  const promise = new Promise<T>((keep) => (resolve = keep))
  return { promise, resolve: resolve! }
}

/** Answers a method only when told to: `arrived` once it was asked. */
function holdBack(server: RawServer, method: string): { arrived: Promise<void>; release: () => void } {
  const answer = server.answers[method]!
  const [arrived, released] = [later<void>(), later<void>()]
  server.answers[method] = async (params) => {
    // What the server has at this moment is what it answers, however late.
    const result = await answer(params)
    arrived.resolve()
    await released.promise
    return result
  }
  return { arrived: arrived.promise, release: released.resolve }
}

/** The client of a raw server, and what its server may say unasked. */
async function watched(server: RawServer): Promise<{ client: Client; listChanged: () => void }> {
  const client = await connect(server.fetch, { versionNegotiation: { mode: 'legacy' } })
  const message = { jsonrpc: '2.0', method: 'notifications/resources/list_changed' } as const
  return { client, listChanged: () => client.transport!.onmessage!(message) }
}

test('N18: what changes while a listing is on its way is asked for again', async () => {
  const server = new RawServer([rawSkill('refunds')])
  const { client, listChanged } = await watched(server)
  const host = new SkillHost()
  await host.addServer('a', client)
  listChanged()
  const { arrived, release } = holdBack(server, 'skills/list')
  const listing = host.skills()
  await arrived
  server.serve([rawSkill('billing')])
  listChanged()
  release()
  await listing
  expect((await host.skills()).map(({ name }) => name)).toEqual(['billing'])
})

test('N18: a refresh that is asked for during a listing is a listing of its own', async () => {
  const server = new RawServer([rawSkill('refunds')])
  const host = new SkillHost()
  await host.addServer('a', await connect(server.fetch))
  const { arrived, release } = holdBack(server, 'skills/list')
  const early = host.refresh('a')
  await arrived
  server.serve([rawSkill('refunds'), rawSkill('billing')])
  const late = host.refresh('a')
  release()
  await early
  expect(await late).toMatchObject({ skills: 2 })
})

test('N18: a storm of list_changed is told once a listing, and asks for nothing by itself', async () => {
  const server = new RawServer([rawSkill('refunds')])
  const { client, listChanged } = await watched(server)
  let told = 0
  const host = new SkillHost({ onSkillsChanged: () => void told++ })
  await host.addServer('a', client)
  for (let at = 0; at < 1000; at++) listChanged()
  expect(told).toBe(1)
  expect(server.count('skills/list')).toBe(1)
  await Promise.all(Array.from({ length: 20 }, () => host.skills()))
  expect(server.count('skills/list')).toBe(2)
  for (let at = 0; at < 1000; at++) listChanged()
  expect(told).toBe(2)
})

test('N18: a removed server is not listened to, whichever host of a client goes first', async () => {
  const { client, listChanged } = await watched(new RawServer([rawSkill('refunds')]))
  const told: string[] = []
  const hosts = ['first', 'second'].map((name) => new SkillHost({ onSkillsChanged: () => told.push(name) }))
  const before = client.transport!.onmessage
  for (const host of hosts) await host.addServer('a', client)
  await hosts[0]!.removeServer('a')
  listChanged()
  expect(told).toEqual(['second'])
  await hosts[1]!.removeServer('a')
  listChanged()
  expect(told).toEqual(['second'])
  // Nothing is left in the way of the client's own messages, however often servers come and go.
  expect(client.transport!.onmessage).toBe(before)
})

test('N18: an onSkillsChanged that throws does not keep the message from the client', async () => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no EventTarget
  theirs.onmessage = (message) => {
    if (!('id' in message) || !('method' in message)) return
    const capabilities = { resources: {}, extensions: {} }
    const result = { protocolVersion: '2025-11-25', capabilities, serverInfo: info }
    void theirs.send({ jsonrpc: '2.0', id: message.id!, result })
  }
  const client = new Client(info, { versionNegotiation: { mode: 'legacy' } })
  const heard = later<void>()
  client.setNotificationHandler('notifications/resources/list_changed', () => heard.resolve())
  await client.connect(ours)
  const host = new SkillHost({
    onSkillsChanged() {
      throw new Error('of the app')
    },
  })
  await host.addServer('a', client)
  const message = { jsonrpc: '2.0', method: 'notifications/resources/list_changed' } as const
  expect(() => client.transport!.onmessage!(message)).toThrow('of the app')
  await heard.promise
})

test('N18: one who gives up waiting for a listing does not spoil it for another', async () => {
  const server = new RawServer([rawSkill('refunds')])
  const host = new SkillHost({ defaultTtlMs: 0 })
  await host.addServer('a', await connect(server.fetch))
  server.serve([rawSkill('billing')])
  const held = holdBack(server, 'skills/list')
  const impatient = new AbortController()
  const given = host.skills({ signal: impatient.signal })
  await held.arrived
  const patient = host.skills()
  impatient.abort(new Error('no time'))
  await expect(given).rejects.toThrow('no time')
  held.release()
  expect((await patient).map(({ name }) => name)).toEqual(['billing'])
})

test('N18: a server whose listing is given up is not half added', async () => {
  const server = new RawServer([rawSkill('refunds')])
  const { arrived, release } = holdBack(server, 'skills/list')
  const client = await connect(server.fetch)
  const host = new SkillHost()
  const abort = new AbortController()
  const added = host.addServer('a', client, { signal: abort.signal })
  await arrived
  abort.abort(new Error('no time'))
  await expect(added).rejects.toThrow('no time')
  expect(host.servers()).toEqual([])
  release()
  expect(await host.addServer('a', client)).toMatchObject({ skills: 1 })
})

test('N18: a server that is removed in the middle of a load leaves nothing behind', async () => {
  const server = new RawServer([rawSkill('refunds')])
  const kept = new Map<string, CachedFile>()
  const writing = later<void>()
  const cache: SkillCache = {
    get: async ({ digest }) => kept.get(digest),
    async set({ digest }, file) {
      writing.resolve()
      await new Promise((resolve) => setImmediate(resolve))
      kept.set(digest, file)
    },
    purge: async () => kept.clear(),
  }
  const host = new SkillHost({ cache })
  const add = async (): Promise<unknown> =>
    host.addServer('a', await connect(server.fetch), { identity: 'https://a.example' })
  await add()
  const reading = holdBack(server, 'resources/read')
  const early = host.load(ref)
  await reading.arrived
  await host.removeServer('a')
  reading.release()
  await expect(early).rejects.toMatchObject({ code: 'unknown-server' })
  expect(kept.size).toBe(0)

  // While it is being written.
  server.serve([rawSkill('refunds')])
  await add()
  const late = host.load(ref)
  await writing.promise
  await host.removeServer('a')
  await expect(late).rejects.toMatchObject({ code: 'unknown-server' })
  expect(kept.size).toBe(0)
  expect(host.acting).toBe(false)
})

test('S5: every skill of a removed server is told, whatever goes wrong in between', async () => {
  const told: string[] = []
  const host = new SkillHost({
    cache: {
      get: async () => undefined,
      set: async () => {},
      purge: () => Promise.reject(new Error('disk')),
    },
    onSkillUnloaded({ skill }) {
      told.push(skill.uri)
      throw new Error('of the app')
    },
  })
  const skills = [rawSkill('refunds'), rawSkill('billing')]
  await host.addServer('a', await connect(new RawServer(skills).fetch), { identity: 'https://a.example' })
  for (const skill of await host.skills()) await host.load(skill)
  await expect(host.removeServer('a')).rejects.toThrow('of the app')
  expect(told).toEqual(['skill://refunds/SKILL.md', 'skill://billing/SKILL.md'])
  expect(host.acting).toBe(false)
  expect(host.servers()).toEqual([])
})

test('N18: two loads of one skill ask the user once', async () => {
  let asked = 0
  const answer = later<boolean>()
  const host = new SkillHost({
    requireApproval: true,
    onApprovalRequired: () => (asked++, answer.promise),
  })
  await host.addServer('a', await connect(new RawServer([rawSkill('refunds')]).fetch))
  const loads = [host.load(ref), host.load(ref)]
  const noes = Promise.allSettled(loads)
  await new Promise((resolve) => setImmediate(resolve))
  answer.resolve(false)
  expect((await noes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(asked).toBe(1)
  // A no is of this time alone.
  await expect(host.load(ref)).rejects.toMatchObject({ code: 'approval-required' })
  expect(asked).toBe(2)
})

test('N18: what the user approves while its last approval is being revoked is approved', async () => {
  const inner = memoryApprovals()
  let onGet: () => Promise<void> = async () => {}
  const approvals: ApprovalStore = {
    ...inner,
    async get(key) {
      const approval = await inner.get(key)
      await onGet()
      return approval
    },
  }
  let now = 0
  const server = new RawServer([rawSkill('refunds')])
  const host = new SkillHost({ approvals, now: () => now, defaultTtlMs: 1 })
  await host.addServer('a', await connect(server.fetch), { identity: 'https://a.example' })
  await host.approve(ref)
  server.serve([rawSkill('refunds', [{ path: 'new.md', text: 'new' }])])
  const [looking, released] = [later<void>(), later<void>()]
  onGet = () => (looking.resolve(), released.promise)
  now = 2
  const listing = host.skills()
  await looking.promise
  const { skill } = (await server.answers['skills/get']!({ uri: ref.uri })) as { skill: HostSkill }
  const approved = host.approve({ ...skill, ...ref })
  // Whatever would be done at once is done.
  await new Promise((resolve) => setTimeout(resolve))
  released.resolve()
  onGet = async () => {}
  await Promise.all([listing, approved])
  expect(await host.approval(ref)).toMatchObject({ state: 'approved' })
})

test('N18: a cache that fails does not keep a verified file from being read', async () => {
  const broken = (): Promise<never> => Promise.reject(new Error('disk'))
  const host = new SkillHost({ cache: { get: broken, set: broken, purge: async () => {} } })
  const server = new RawServer([rawSkill('refunds')])
  await host.addServer('a', await connect(server.fetch), { identity: 'https://a.example' })
  expect(await host.load(ref)).toMatchObject({ verified: true })
})

test('N18: a nested skill stays one when the skill around it is in no listing', async () => {
  const nested = { ...rawSkill('inner') }
  const entry = { ...nested.entry, uri: 'skill://outer/inner/SKILL.md' }
  const resources = (entry.resources as { digest: string; size: number }[]).map((file) => ({
    ...file,
    uri: entry.uri,
  }))
  const server = new RawServer([rawSkill('outer'), { entry: { ...entry, resources }, files: nested.files }])
  const list = server.answers['skills/list']!
  server.answers['skills/list'] = async (params) => {
    const { skills } = (await list(params)) as { skills: object[] }
    return { skills: skills.slice(1) }
  }
  const host = new SkillHost({ defaultTtlMs: 0 })
  await host.addServer('a', await connect(server.fetch))
  await host.load({ server: 'a', uri: 'skill://outer/SKILL.md' })
  await host.skills()
  await expect(host.load({ server: 'a', uri: entry.uri })).rejects.toMatchObject({
    request: { reason: 'nested' },
  })
})
