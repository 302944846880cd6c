import { compile } from '@embed-skills/compiler'
import { attachSkills } from '@embed-skills/runtime/mcp'
import { InMemoryTransport as InMemoryTransportV1 } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js'
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js'
import { InMemoryTransport, McpServer, Server } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'
import { importSkills } from '../support/modules.ts'
import { info } from '../support/servers.ts'
import { skillMd, writeTree } from '../support/tree.ts'

const root = writeTree({ 'skills/a/SKILL.md': skillMd('a') })
const skills = await importSkills((await compile('skills/*', { root })).skills)

interface Connectable {
  connect(transport: unknown): Promise<void>
  close(): Promise<void>
}

const servers: Record<string, [create: () => object, transport: () => unknown]> = {
  'McpServer of v2': [() => new McpServer(info), () => InMemoryTransport.createLinkedPair()[0]],
  'Server of v2': [() => new Server(info), () => InMemoryTransport.createLinkedPair()[0]],
  'McpServer of v1': [() => new McpServerV1(info), () => InMemoryTransportV1.createLinkedPair()[0]],
  'Server of v1': [() => new ServerV1(info), () => InMemoryTransportV1.createLinkedPair()[0]],
}

describe.each(Object.entries(servers))('N3: %s', (_, [create, transport]) => {
  test('a connected server is refused, since its capabilities are told already', async () => {
    const server = create() as Connectable
    await server.connect(transport())
    expect(() => attachSkills(server, skills)).toThrow('attachSkills: call it before it connects')
    await server.close()
  })

  test('a server serves one set of skills', () => {
    const server = create()
    attachSkills(server, skills)
    expect(() => attachSkills(server, skills)).toThrow('attachSkills: it has skills already')
  })

  test('a set of a format that is not known is refused, and the server stays as it was', () => {
    const server = create()
    expect(() => attachSkills(server, { ...skills, format: 2 })).toThrow(
      new TypeError('Skill format 2 needs a newer runtime'),
    )
    expect(() => attachSkills(server, skills)).not.toThrow()
  })
})

test.each([[{}], [{ server: {} }], [{ setRequestHandler() {} }], [{ fetch() {} }]])(
  'N3: %o is no server of the SDK',
  (server) => {
    expect(() => attachSkills(server, skills)).toThrow('attachSkills: no server of the official SDK')
  },
)
