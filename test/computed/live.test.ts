import type { SkillSource } from '@embed-skills/runtime'
import { createCatalog, joinSkills } from '@embed-skills/runtime'
import { requiredScopes } from '@embed-skills/runtime/access'
import { defineSkill, skillRoute } from '@embed-skills/runtime/define'
import { attachSkills as attachToFastmcp } from '@embed-skills/runtime/fastmcp'
import { announceChanges, liveSkills } from '@embed-skills/runtime/live'
import { attachSkills } from '@embed-skills/runtime/mcp'
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport as InMemoryTransportV1 } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js'
import { ResourceListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { createMcpHandler, McpServer, Server } from '@modelcontextprotocol/server'
import { FastMCP } from 'fastmcp'
import { describe, expect, test, vi } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { connect, info, kinds, serve } from './support.ts'

const description = 'Does something. Use it.'
const code = (path: string, text = 'x') => defineSkill(path, { description }, { 'x.md': text })

describe.each(kinds)('%s', (kind) => {
  test('P15: skills are added, removed and replaced while the server runs', async () => {
    const [a, b] = [code('a'), code('b')]
    const live = liveSkills(a)
    const { reader, rpc } = await connect(serve(kind, live))
    const names = async () => (await reader.list()).skills.map(({ uri }) => uri.split('/').at(-2))
    expect(await names()).toEqual(['a'])
    live.add(b, code('c'))
    expect(await names()).toEqual(['a', 'b', 'c'])
    live.remove(a)
    expect(await names()).toEqual(['b', 'c'])
    expect((await rpc('resources/read', { uri: 'skill://a/x.md' })).error?.code).toBe(-32602)
    live.replace([b], [code('b', 'new'), code('d')])
    expect(await names()).toEqual(['b', 'c', 'd'])
    const { skill } = await reader.get('skill://b/SKILL.md')
    expect(Buffer.from((await reader.read(skill, 'skill://b/x.md')).bytes).toString()).toBe('new')
    live.set(code('e'))
    expect(await names()).toEqual(['e'])
  })

  test('P15: a batch that cannot be made changes nothing', async () => {
    const a = code('a')
    const live = liveSkills(a)
    const changed = vi.fn<() => void>()
    live.onChange(changed)
    expect(() => live.add(code('b'), code('a'))).toThrow('Two sources serve a skill')
    expect(() => live.remove(a, code('z'))).toThrow(RangeError)
    expect(() => live.replace([a], [code('b'), code('b')])).toThrow('Two sources')
    expect(() => live.add(requiredScopes(code('c'), ['x']))).toThrow('Access rules cannot come later')
    expect(changed).not.toHaveBeenCalled()
    const { reader } = await connect(serve(kind, live))
    expect((await reader.list()).skills.map(({ uri }) => uri)).toEqual(['skill://a/SKILL.md'])
  })
})

test('P15: a request that has begun is answered from what there was', async () => {
  let open = (): void => {}
  const gate = new Promise<void>((resolve) => (open = resolve))
  const route = skillRoute('a', async () => {
    await gate
    return code('a')
  })
  const live = liveSkills(route, code('a/b'))
  const catalog = createCatalog(live)
  const answer = catalog.list({}, {})
  live.set(code('z'))
  open()
  expect((await answer).skills.map(({ uri }) => uri)).toEqual(['skill://a/SKILL.md', 'skill://a/b/SKILL.md'])
  expect((await catalog.list({}, {})).skills.map(({ uri }) => uri)).toEqual(['skill://z/SKILL.md'])
})

test('P15: the official v2 announces changes once each, to who is connected', async () => {
  const live = liveSkills(code('a'))
  const server = new McpServer(info)
  const skills = joinSkills(live, code('fixed'))
  attachSkills(server, skills)
  announceChanges(server, skills)
  const announced = vi.fn<() => void>()
  const client = new Client(info)
  client.setNotificationHandler('notifications/resources/list_changed', async () => announced())
  // Before anybody is connected.
  live.add(code('b'))
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(theirs), client.connect(ours)])
  expect(client.getServerCapabilities()?.resources?.listChanged).toBe(true)
  live.add(code('c'), code('d'))
  await eventually(() => expect(announced).toHaveBeenCalledTimes(1))
  expect((await new SkillsClient(client).list()).skills).toHaveLength(5)
  await client.close()
  await server.close()
  live.add(code('e'))
})

test('P15: the official v1 announces changes', async () => {
  const live = liveSkills(code('a'))
  const server = new ServerV1(info, { capabilities: {} })
  attachSkills(server, live)
  announceChanges(server, live)
  const announced = vi.fn<() => void>()
  const client = new ClientV1(info)
  client.setNotificationHandler(ResourceListChangedNotificationSchema, async () => announced())
  const [ours, theirs] = InMemoryTransportV1.createLinkedPair()
  await Promise.all([server.connect(theirs), client.connect(ours)])
  live.replace([], [code('b')])
  await eventually(() => expect(announced).toHaveBeenCalledTimes(1))
  await client.close()
  await server.close()
})

test('P15: without being asked, and in serveSkills, nothing is advertised or held', async () => {
  const live = liveSkills(code('a'))
  const server = new ServerV1(info, { capabilities: {} })
  attachSkills(server, live)
  const [ours, theirs] = InMemoryTransportV1.createLinkedPair()
  const client = new ClientV1(info)
  await Promise.all([server.connect(theirs), client.connect(ours)])
  expect(client.getServerCapabilities()?.resources?.listChanged).toBeUndefined()
  const http = await connect(serve('serveSkills', live))
  expect(http.client.getServerCapabilities()?.resources?.listChanged).toBeUndefined()
  await client.close()
})

test('P15: a handler that makes a server for each request announces by its own bus', async () => {
  const live = liveSkills(code('a'))
  const handler = createMcpHandler(() => {
    const server = new McpServer(info)
    attachSkills(server, live)
    return server
  })
  const stop = live.onChange(() => handler.notify.resourcesChanged())
  const announced = vi.fn<() => void>()
  const client = new Client(info, {
    versionNegotiation: { mode: 'auto' },
    listChanged: { resources: { onChanged: () => announced(), autoRefresh: false, debounceMs: 0 } },
  })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/'), {
      fetch: (url, init) => handler.fetch(new Request(url, init)),
    }),
  )
  live.add(code('b'))
  await eventually(() => expect(announced).toHaveBeenCalledTimes(1))
  stop()
  await client.close()
  await handler.close()
})

test('P15, P12: nothing is advertised or announced where a rule applies, nor where nothing changes', async () => {
  const live = liveSkills(code('a'))
  const make = (skills: SkillSource) => {
    // An `McpServer` advertises changes of its own accord, wherever it has resources.
    const server = new Server(info)
    attachSkills(server, skills)
    return { server, announce: () => announceChanges(server, skills) }
  }
  const restricted = [
    requiredScopes(live, ['x']),
    joinSkills(live, requiredScopes(code('b'), ['x'])),
    liveSkills(requiredScopes(code('b'), ['x'])),
  ]
  for (const skills of restricted) {
    const { server, announce } = make(skills)
    expect(announce).toThrow('no change is announced')
    const announced = vi.fn<() => void>()
    const client = new Client(info)
    client.setNotificationHandler('notifications/resources/list_changed', async () => announced())
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    await Promise.all([server.connect(theirs), client.connect(ours)])
    expect(client.getServerCapabilities()?.resources?.listChanged).toBeUndefined()
    const added = code('later')
    live.add(added)
    // A round trip later it would have come.
    await new SkillsClient(client).list()
    expect(announced).not.toHaveBeenCalled()
    live.remove(added)
    await client.close()
    await server.close()
  }
  expect(make(code('fixed')).announce).toThrow(TypeError)
  expect(() => announceChanges(new McpServer(info), createCatalog(live))).not.toThrow()
})

test('P15: every session of fastmcp is told of changes', async () => {
  const live = liveSkills(code('a'))
  const server = new FastMCP({ ...info, version: '1.0.0' })
  attachToFastmcp(server, live)
  announceChanges(server, live)
  const port = await freePort()
  await server.start({
    transportType: 'httpStream',
    httpStream: { host: '127.0.0.1', port, endpoint: '/mcp' },
  })
  const announced: string[] = []
  const clients = ['one', 'two'].map((name) => {
    const client = new Client({ ...info, name })
    client.setNotificationHandler(
      'notifications/resources/list_changed',
      async () => void announced.push(name),
    )
    return client
  })
  for (const client of clients) {
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)))
    expect(client.getServerCapabilities()?.resources?.listChanged).toBe(true)
  }
  // A client opens the stream for what it did not ask for once it is connected; until then nothing reaches it.
  const added = code('b')
  await eventually(
    () => expect(new Set(announced)).toEqual(new Set(['one', 'two'])),
    () => live.replace([], []),
  )
  live.add(added)
  expect((await new SkillsClient(clients[0]!).list()).skills).toHaveLength(2)
  for (const client of clients) await client.close()
  await server.stop()
  // Nobody is there any more, and nothing fails.
  live.remove(added)
}, 30_000)
