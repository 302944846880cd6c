import path from 'node:path'
import { compile } from '@embed-skills/compiler'
import { attachSkills } from '@embed-skills/runtime/mcp'
import { manifests, prompts, skillTools, tools } from '@embed-skills/runtime/tools'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import {
  McpServer as McpServerV1,
  ResourceTemplate as TemplateV1,
} from '@modelcontextprotocol/sdk/server/mcp.js'
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js'
import { ListResourcesRequestSchema, ReadResourceRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { InMemoryTransport as TransportV1 } from '@modelcontextprotocol/sdk/inMemory.js'
import { createMcpHandler, McpServer, ResourceTemplate, Server } from '@modelcontextprotocol/server'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { importSkills } from '../support/modules.ts'

const info = { name: 'test', version: '1.0.0' }
const root = path.join(import.meta.dirname, '../../playground/worker')
const { skills } = await compile(['billing/*'], { root })
const compiled = await importSkills(skills)
const uris = skills.map(({ uri }) => uri)

const own = async (): Promise<{ contents: { uri: string; text: string }[] }> => ({
  contents: [{ uri: 'acme://notes', text: 'Notes' }],
})

/** A client of a server that is there for it alone. */
async function connected(server: any, capabilities = {}): Promise<Client> {
  const [one, other] = (
    server instanceof McpServerV1 || server instanceof ServerV1 ? TransportV1 : InMemoryTransport
  ).createLinkedPair()
  const client = new Client(info, { capabilities, versionNegotiation: { mode: 'legacy' } })
  await Promise.all([server.connect(one), client.connect(other as InMemoryTransport)])
  return client
}

async function everyResource(client: Client): Promise<string[]> {
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await client.listResources(cursor === undefined ? {} : { cursor })
    found.push(...page.resources.map(({ uri }) => uri))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return found
}

const highLevel: Record<string, () => any> = {
  'v2 McpServer': () => new McpServer(info),
  'v1 McpServer': () => new McpServerV1(info),
}

describe.each(Object.entries(highLevel))('%s', (name, make) => {
  const Template = name.startsWith('v1') ? TemplateV1 : ResourceTemplate

  test('its own resources, registered before and after, come first and are read', async () => {
    const server = make()
    server.registerResource('before', 'acme://before', {}, own)
    attachSkills(server, compiled)
    server.registerResource('after', 'acme://after', {}, own)
    server.registerResource('any', new Template('acme://items/{id}', { list: undefined }), {}, own)
    const client = await connected(server)
    expect(await everyResource(client)).toEqual(['acme://before', 'acme://after', ...uris])
    expect((await client.readResource({ uri: 'acme://items/1' })).contents[0]).toMatchObject({
      text: 'Notes',
    })
    expect((await client.readResource({ uri: uris[0]! })).contents[0]).toMatchObject({ uri: uris[0] })
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1)
    await expect(client.readResource({ uri: 'skill://none/SKILL.md' })).rejects.toMatchObject({
      code: -32602,
    })
    await client.close()
  })
  test('long listings are paged, its own first', async () => {
    const server = make()
    server.registerResource('own', 'acme://own', {}, own)
    attachSkills(server, compiled, { pageSize: 1 })
    const client = await connected(server)
    expect(await everyResource(client)).toEqual(['acme://own', ...uris])
    await client.close()
  })
  test('P3: a resource or a template of its own under skill:// is refused', () => {
    const resource = make()
    resource.registerResource('mine', 'skill://mine/SKILL.md', {}, own)
    expect(() => attachSkills(resource, compiled)).toThrow('skill://mine/SKILL.md belongs to skills')
    const template = make()
    template.registerResource('mine', new Template('Skill://mine/{+path}', { list: undefined }), {}, own)
    expect(() => attachSkills(template, compiled)).toThrow('Skill://mine/{+path} belongs to skills')
  })
  test('and so is one that comes later, where it is registered', async () => {
    const server = make()
    attachSkills(server, compiled)
    const template = new Template('skill://mine/{+path}', { list: undefined })
    // The second is of v1 alone.
    for (const register of [server.registerResource, server.resource].filter(Boolean)) {
      const add = (at: unknown): unknown => register.call(server, 'mine', at, {}, own)
      expect(() => add('skill://mine/SKILL.md')).toThrow('skill://mine/SKILL.md belongs to skills')
      expect(() => add(template)).toThrow('skill://mine/{+path} belongs to skills')
      const { remove } = add('acme://notes') as { remove(): void }
      const client = await connected(server)
      expect(await everyResource(client)).toEqual(['acme://notes', ...uris])
      remove()
      expect(await everyResource(client)).toEqual(uris)
      await client.close()
    }
  })
  test('attached once, before it connects, to servers of the SDK alone', async () => {
    const server = make()
    attachSkills(server, compiled)
    expect(() => attachSkills(server, compiled)).toThrow('skills already')
    const late = make()
    late.registerTool('own', {}, async () => ({ content: [] }))
    const client = await connected(late)
    expect(() => attachSkills(late, compiled)).toThrow('before it connects')
    await client.close()
    expect(() => attachSkills({}, compiled)).toThrow('no server of the official SDK')
  })
  test('directory reads can be turned off', async () => {
    const server = make()
    attachSkills(server, compiled, { directoryRead: false })
    const client = await connected(server)
    expect(client.getServerCapabilities()?.extensions).toEqual({ 'io.modelcontextprotocol/skills': {} })
    const directory = client.request(
      { method: 'resources/directory/read', params: { uri: 'skill://refunds' } } as any,
      anything as any,
    )
    await expect(directory).rejects.toMatchObject({ code: -32601 })
    await client.close()
  })
  test('tools, prompts and completion beside its own', async () => {
    const server = make()
    server.registerTool('own', { description: 'Own' }, async () => ({
      content: [{ type: 'text', text: 'own' }],
    }))
    server.registerPrompt('own', { description: 'Own' }, async () => ({ messages: [] }))
    attachSkills(server, compiled, { features: [prompts(), manifests()] })
    skillTools(server, compiled)
    server.registerTool('later', {}, async () => ({ content: [{ type: 'text', text: 'later' }] }))
    const client = await connected(server)
    expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual([
      'later',
      'load_skill',
      'own',
      'read_skill_file',
    ])
    const textOf = async (name: string, args: object): Promise<unknown> =>
      ((await client.callTool({ name, arguments: args as any })) as any).content[0].text
    expect(await textOf('own', {})).toBe('own')
    expect(await textOf('later', {})).toBe('later')
    expect(await textOf('load_skill', { skill: 'refunds' })).toContain('name: refunds')
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
      'own',
      'invoices',
      'refunds',
    ])
    expect((await client.getPrompt({ name: 'own' })).messages).toEqual([])
    expect((await client.getPrompt({ name: 'refunds' })).messages).toHaveLength(1)
    await expect(client.getPrompt({ name: 'none' })).rejects.toMatchObject({ code: -32602 })
    const completion = await client.complete({
      ref: { type: 'ref/resource', uri: 'skill://{name}/{+path}' },
      argument: { name: 'name', value: 'inv' },
    })
    expect(completion.completion.values).toEqual(['invoices'])
    expect((await client.readResource({ uri: 'skill://refunds/_manifest' })).contents[0]!.mimeType).toBe(
      'application/json',
    )
    await client.close()
  })
  test('tools are withheld from a client that declares the extension', async () => {
    const server = make()
    attachSkills(server, compiled, { features: [tools()] })
    const client = await connected(server, { extensions: { 'io.modelcontextprotocol/skills': {} } })
    expect((await client.listTools()).tools).toEqual([])
    await client.close()
  })
})

const anything = {
  '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) },
}

describe('low-level servers', () => {
  test('v2 Server: pages of its own handlers come first', async () => {
    const server = new Server(info, { capabilities: { resources: {} } })
    server.setRequestHandler('resources/list', async ({ params }) =>
      params?.cursor === '2'
        ? { resources: [{ uri: 'acme://2', name: '2' }] }
        : { resources: [{ uri: 'acme://1', name: '1' }], nextCursor: '2' },
    )
    server.setRequestHandler('resources/read', own)
    attachSkills(server, compiled)
    const client = await connected(server)
    expect(await everyResource(client)).toEqual(['acme://1', 'acme://2', ...uris])
    expect((await client.readResource({ uri: 'acme://1' })).contents[0]).toMatchObject({ text: 'Notes' })
    await client.close()
  })
  test('v1 Server: the same', async () => {
    const server = new ServerV1(info, { capabilities: { resources: {} } })
    server.setRequestHandler(ListResourcesRequestSchema, async ({ params }) =>
      params?.cursor === '2'
        ? { resources: [{ uri: 'acme://2', name: '2' }] }
        : { resources: [{ uri: 'acme://1', name: '1' }], nextCursor: '2' },
    )
    server.setRequestHandler(ReadResourceRequestSchema, own)
    attachSkills(server, compiled)
    const client = await connected(server)
    expect(await everyResource(client)).toEqual(['acme://1', 'acme://2', ...uris])
    expect((await client.readResource({ uri: 'acme://1' })).contents[0]).toMatchObject({ text: 'Notes' })
    await client.close()
  })
})

test.each([
  [undefined, undefined, { ttlMs: 0, cacheScope: 'private' }],
  [{ ttlMs: 5000, cacheScope: 'public' }, undefined, { ttlMs: 0, cacheScope: 'private' }],
  [
    { ttlMs: 5000, cacheScope: 'public' },
    { ttlMs: 1000, cacheScope: 'public' },
    { ttlMs: 1000, cacheScope: 'public' },
  ],
  [
    { ttlMs: 500, cacheScope: 'public' },
    { ttlMs: 1000, cacheScope: 'public' },
    { ttlMs: 500, cacheScope: 'public' },
  ],
  [
    { ttlMs: 500, cacheScope: 'public' },
    { ttlMs: 1000, cacheScope: 'private' },
    { ttlMs: 500, cacheScope: 'private' },
  ],
  [{ ttlMs: 500 }, { ttlMs: 1000, cacheScope: 'public' }, { ttlMs: 500, cacheScope: 'private' }],
] as const)('a listing of an app with hints %j and skills with %j has %j', async (app, ours, expected) => {
  const handler = createMcpHandler(() => {
    const server = new McpServer(info, app && { cacheHints: { 'resources/list': app } })
    server.registerResource('own', 'acme://own', {}, own)
    attachSkills(server, compiled, ours ?? {})
    return server
  })
  const client = new Client(info, { versionNegotiation: { mode: 'auto' } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/'), {
      fetch: (url, init) => handler.fetch(new Request(url, init)),
    }),
  )
  const { ttlMs, cacheScope } = (await client.listResources({})) as { ttlMs?: number; cacheScope?: string }
  expect({ ttlMs, cacheScope }).toEqual(expected)
  await client.close()
})

test.each([
  [{}, ['load_skill', 'read_skill_file']],
  [{ extensions: { 'io.modelcontextprotocol/skills': {} } }, []],
])(
  'in the modern era, a client without sessions that declares %j gets the tools %j',
  async (capabilities, names) => {
    const handler = createMcpHandler(() => {
      const server = new McpServer(info)
      attachSkills(server, compiled, { features: [tools()] })
      return server
    })
    const client = new Client(info, { capabilities, versionNegotiation: { mode: 'auto' } })
    await client.connect(
      new StreamableHTTPClientTransport(new URL('http://localhost/'), {
        fetch: (url, init) => handler.fetch(new Request(url, init)),
      }),
    )
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(names)
    await client.close()
  },
)
