/** The servers that skills are served through in these tests, each on a loopback port of its own. */
import type { AddressInfo } from 'node:net'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { CatalogOptions, Skills } from '@embed-skills/runtime'
import { serveSkills } from '@embed-skills/runtime/fetch'
import { attachSkills } from '@embed-skills/runtime/mcp'
import type { FetchLikeMcpHandler } from '@modelcontextprotocol/node'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js'
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createMcpHandler, McpServer, Server } from '@modelcontextprotocol/server'

export const info = { name: 'test', version: '1.0.0' }

export type Era = 'modern' | 'legacy'

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

interface Kind {
  readonly name: string
  readonly eras: readonly Era[]
  /** One of those that most people use; the others differ in how an SDK is spoken to. */
  readonly isUsual: boolean
  listener(skills: Skills, options?: CatalogOptions): Listener
}

const BOTH: readonly Era[] = ['modern', 'legacy']

export const kinds: readonly Kind[] = [
  {
    name: 'serveSkills',
    eras: BOTH,
    isUsual: true,
    listener: (skills, options) => listenerOf(serveSkills(skills, info, options)),
  },
  {
    name: 'McpServer of the official v2',
    eras: BOTH,
    isUsual: true,
    listener: (skills, options) =>
      listenerV2(() => {
        const server = new McpServer(info)
        attachSkills(server, skills, options)
        return server
      }),
  },
  {
    name: 'Server of the official v2',
    eras: BOTH,
    isUsual: false,
    listener: (skills, options) =>
      listenerV2(() => {
        const server = new Server(info)
        attachSkills(server, skills, options)
        return server
      }),
  },
  {
    name: 'McpServer of the official v1',
    eras: ['legacy'],
    isUsual: true,
    listener: (skills, options) =>
      listenerV1(() => {
        const server = new McpServerV1(info)
        attachSkills(server, skills, options)
        return server
      }),
  },
  {
    name: 'Server of the official v1',
    eras: ['legacy'],
    isUsual: false,
    listener: (skills, options) =>
      listenerV1(() => {
        const server = new ServerV1(info)
        attachSkills(server, skills, options)
        return server
      }),
  },
]

/** A server of v2 for each request, in both eras. */
export function listenerV2(create: () => McpServer | Server): Listener {
  return listenerOf(createMcpHandler(create))
}

/** What answers over `fetch`, for `node:http`. */
export function listenerOf(server: FetchLikeMcpHandler): Listener {
  // The SDK's types leave no room for `exactOptionalPropertyTypes`, here and below.
  return toNodeHandler(server) as Listener
}

/** A server of v1 for each request, without sessions. */
export function listenerV1(create: () => McpServerV1 | ServerV1): Listener {
  return async (request, response) => {
    const server = create()
    const transport = new StreamableHTTPServerTransport()
    response.on('close', () => void server.close())
    await server.connect(transport as Parameters<typeof server.connect>[0])
    await transport.handleRequest(request, response)
  }
}

export interface Listening extends AsyncDisposable {
  readonly url: string
}

/** Serves on a free loopback port until disposed of. */
export async function listen(listener: Listener): Promise<Listening> {
  const server = createServer((request, response) => void listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
