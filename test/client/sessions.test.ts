/** Sessions that servers of the 2025 eras keep, and what is left of them once nobody needs them. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { attachSkills } from '@embed-skills/runtime/mcp'
import { connectServer } from '@embed-skills/client/node'
import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { compile } from '@embed-skills/compiler'
import { expect, test } from 'vitest'
import { importSkills } from '../support/modules.ts'
import { listenerOf } from '../support/servers.ts'
import { run } from './support/cli.ts'
import { temporaryFolder } from './support/folders.ts'
import { info } from './support/servers.ts'

const playground = path.join(import.meta.dirname, '../../playground/worker')
const { skills } = await compile('skills/*', { root: playground })
const compiled = await importSkills(skills)

/** A server of the official SDK that keeps sessions, and what becomes of a request to end one. */
async function sessionServer(
  onDelete: (end: () => Promise<Response>) => Promise<Response>,
): Promise<{ url: string; open: Set<string>; deletes: () => number; close: () => Promise<unknown> }> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const open = new Set<string>()
  let deletes = 0
  const handler = listenerOf({
    async fetch(request: Request) {
      const known = sessions.get(request.headers.get('mcp-session-id') ?? '')
      if (request.method === 'DELETE') deletes++
      if (known)
        return request.method === 'DELETE'
          ? onDelete(() => known.handleRequest(request))
          : known.handleRequest(request)
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id) => void (sessions.set(id, transport), open.add(id)),
        onsessionclosed: (id) => void open.delete(id),
      })
      const server = new McpServer(info)
      attachSkills(server, compiled)
      await server.connect(transport)
      return transport.handleRequest(request)
    },
  })
  const http = createServer((request, response) => void handler(request, response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const close = (): Promise<unknown> => {
    http.closeAllConnections()
    return new Promise((resolve) => http.close(resolve))
  }
  return { url: `http://127.0.0.1:${port}/mcp`, open, deletes: () => deletes, close }
}

test('N18: a session is ended with its connection, once', async () => {
  const server = await sessionServer((end) => end())
  try {
    const { close } = await connectServer({ url: server.url })
    expect(server.open.size).toBe(1)
    await Promise.all([close(), close()])
    await close()
    expect(server.open.size).toBe(0)
    expect(server.deletes()).toBe(1)
  } finally {
    await server.close()
  }
})

test.each(['pull', 'verify'])('S4, X6: %s leaves no session behind', async (command) => {
  const server = await sessionServer((end) => end())
  try {
    const args = [command, ...(command === 'pull' ? ['--out', 'x'] : []), server.url]
    expect(await run(args, { cwd: await temporaryFolder() })).toMatchObject({ code: 0 })
    expect(server.deletes()).toBe(1)
    expect(server.open.size).toBe(0)
    // What went wrong is told as it was.
    expect(
      await run(['pull', 'none', ...args.slice(1), '--out', 'x'], {
        cwd: await temporaryFolder(),
      }),
    ).toMatchObject({ code: 2, output: expect.stringContaining('lists no skill named "none"') })
    expect(server.open.size).toBe(0)
  } finally {
    await server.close()
  }
})

test.each<[string, () => Promise<Response>]>([
  ['does not allow it', async () => new Response(null, { status: 405 })],
  ['fails', async () => new Response('secret', { status: 500 })],
  ['never answers', () => new Promise<never>(() => {})],
])(
  'X6: a server that %s when a session is ended changes no result and holds nothing up',
  async (_, answer) => {
    const server = await sessionServer(answer)
    try {
      const { code, output } = await run(['verify', server.url])
      expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('all as listed') })
      expect(output).not.toContain('secret')
      expect(await run(['pull', 'none', '--out', 'x', server.url])).toMatchObject({
        code: 2,
        output: expect.stringMatching(/^\S*The server "[^"]+" lists no skill named "none"/),
      })
      expect(server.deletes()).toBe(2)
    } finally {
      await server.close()
    }
  },
)
