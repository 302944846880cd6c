import { compile } from '@embed-skills/compiler'
import type { CatalogOptions } from '@embed-skills/runtime'
import { attachSkills } from '@embed-skills/runtime/mcp'
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js'
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js'
import { ListResourcesRequestSchema, ReadResourceRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { McpServer, Server } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'
import { connect, post } from '../support/client.ts'
import { importSkills } from '../support/modules.ts'
import type { Era } from '../support/servers.ts'
import { info, listen, listenerV1, listenerV2 } from '../support/servers.ts'
import { skillMd, writeTree } from '../support/tree.ts'

const root = writeTree({ 'skills/a/SKILL.md': skillMd('a'), 'skills/b/SKILL.md': skillMd('b') })
const compiled = await importSkills((await compile('skills/*', { root })).skills)
const SKILLS = ['skill://a/SKILL.md', 'skill://b/SKILL.md']

type Listener = ReturnType<typeof listenerV2>
type Options = CatalogOptions & { readonly app?: { ttlMs?: number; cacheScope?: 'public' | 'private' } }

/** An app that registers one resource before skills are attached, and one after. */
function highLevel(McpServerClass: typeof McpServer, options: Options = {}): McpServer {
  const { app, ...ours } = options
  const server = new McpServerClass(info, app && { cacheHints: { 'resources/list': app } })
  const register = (name: string): unknown =>
    server.registerResource(name, `app://${name}`, {}, (uri) => ({
      contents: [{ uri: uri.href, text: `The app's ${name}` }],
    }))
  register('before')
  attachSkills(server, compiled, ours)
  register('after')
  return server
}

/** Two pages of an app's own. */
const PAGES = {
  first: { resources: [{ uri: 'app://before', name: 'before' }], nextCursor: 'second' },
  second: { resources: [{ uri: 'app://after', name: 'after' }] },
}

function lowLevelV2(): Server {
  const server = new Server(info, { capabilities: { resources: {} } })
  server.setRequestHandler('resources/list', ({ params }) =>
    params?.cursor === 'second' ? PAGES.second : PAGES.first,
  )
  server.setRequestHandler('resources/read', ({ params: { uri } }) => ({
    contents: [{ uri, text: `The app's ${new URL(uri).hostname}` }],
  }))
  attachSkills(server, compiled)
  return server
}

function lowLevelV1(): ServerV1 {
  const server = new ServerV1(info, { capabilities: { resources: {} } })
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    params?.cursor === 'second' ? PAGES.second : PAGES.first,
  )
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => ({
    contents: [{ uri, text: `The app's ${new URL(uri).hostname}` }],
  }))
  attachSkills(server, compiled)
  return server
}

const v1 = McpServerV1 as unknown as typeof McpServer
const cases: { name: string; era: Era; listener: Listener }[] = [
  { name: 'McpServer of v2', era: 'modern', listener: listenerV2(() => highLevel(McpServer)) },
  { name: 'McpServer of v2', era: 'legacy', listener: listenerV2(() => highLevel(McpServer)) },
  { name: 'Server of v2', era: 'modern', listener: listenerV2(lowLevelV2) },
  { name: 'Server of v2', era: 'legacy', listener: listenerV2(lowLevelV2) },
  {
    name: 'McpServer of v1',
    era: 'legacy',
    listener: listenerV1(() => highLevel(v1) as unknown as McpServerV1),
  },
  { name: 'Server of v1', era: 'legacy', listener: listenerV1(lowLevelV1) },
]

describe.each(cases)('$name, $era', ({ era, listener }) => {
  test("N2: skills are listed after all of the app's own resources, and both are read", async () => {
    await using server = await listen(listener)
    await using connection = await connect(server.url, era)
    const { resources } = await connection.client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['app://before', 'app://after', ...SKILLS])
    for (const name of ['before', 'after']) {
      const { contents } = await connection.client.readResource({ uri: `app://${name}` })
      expect(contents).toEqual([{ uri: expect.stringContaining(`app://${name}`), text: `The app's ${name}` }])
    }
    for (const uri of SKILLS) {
      const { contents } = await connection.client.readResource({ uri })
      expect(contents).toMatchObject([{ uri, mimeType: 'text/markdown' }])
    }
  })

  test("N2: the app's capabilities and its answers to unknown resources stay", async () => {
    await using server = await listen(listener)
    await using connection = await connect(server.url, era)
    expect(connection.client.getServerCapabilities()).toMatchObject({
      resources: {},
      extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
    })
    expect((await post(server.url, era, 'resources/read', { uri: 'skill://c' })).error?.code).toBe(-32602)
    expect((await post(server.url, era, 'nobody/knows')).error?.code).toBe(-32601)
  })
})

test('N1: without attachSkills the extension is off', async () => {
  await using server = await listen(listenerV2(() => new McpServer(info)))
  await using connection = await connect(server.url, 'modern')
  expect(connection.client.getServerCapabilities()?.extensions).toBeUndefined()
  expect((await post(server.url, 'modern', 'skills/list')).error?.code).toBe(-32601)
})

test.each([
  ['the smaller TTL is ours', { ttlMs: 5000, cacheScope: 'public' }, 60_000, 'public', 5000, 'public'],
  ["the smaller TTL is the app's", { ttlMs: 60_000, cacheScope: 'public' }, 5000, 'public', 5000, 'public'],
  ['one is private', { ttlMs: 5000, cacheScope: 'private' }, 5000, 'public', 5000, 'private'],
  ['the other is private', { ttlMs: 5000, cacheScope: 'public' }, 5000, 'private', 5000, 'private'],
  ['the app says nothing', { ttlMs: 5000, cacheScope: 'public' }, undefined, undefined, 0, 'private'],
] as const)(
  'N13: a merged page may be kept as long as both listings may: %s',
  async (_, ours, appTtl, appScope, ttlMs, cacheScope) => {
    const app = appTtl === undefined ? {} : { app: { ttlMs: appTtl, cacheScope: appScope } }
    await using server = await listen(listenerV2(() => highLevel(McpServer, { ...ours, ...app })))
    const { result } = await post(server.url, 'modern', 'resources/list')
    expect(result!['resources']).toHaveLength(4)
    expect(result).toMatchObject({ ttlMs, cacheScope })
    const legacy = await post(server.url, 'legacy', 'resources/list')
    expect(legacy.result).not.toHaveProperty('ttlMs')
    expect(legacy.result).not.toHaveProperty('cacheScope')
  },
)
