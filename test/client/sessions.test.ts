/** Sessions that servers of the 2025 eras keep, and what is left of them once nobody needs them. */
import path from 'node:path'
import { attachSkills } from '@embed-skills/runtime/mcp'
import { connectServer } from '@embed-skills/client/node'
import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { compile } from '@embed-skills/compiler'
import { expect, test } from 'vitest'
import { importSkills } from '../support/modules.ts'
import type { Listening } from '../support/servers.ts'
import { listen, listenerOf } from '../support/servers.ts'
import { run } from './support/cli.ts'
import { temporaryFolder } from './support/folders.ts'
import { info } from './support/servers.ts'

const playground = path.join(import.meta.dirname, '../../playground/worker')
const { skills } = await compile('skills/*', { root: playground })
const compiled = await importSkills(skills)

interface SessionServer extends Listening {
  readonly open: ReadonlySet<string>
  deletes(): number
}

/** A server of the official SDK that keeps sessions, and what becomes of a request to end one. */
async function sessionServer(
  onDelete: (end: () => Promise<Response>) => Promise<Response>,
): Promise<SessionServer> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const open = new Set<string>()
  let deletes = 0
  const begin = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void (sessions.set(id, transport), open.add(id)),
      onsessionclosed: (id) => void open.delete(id),
    })
    const server = new McpServer(info)
    attachSkills(server, compiled)
    await server.connect(transport)
    return transport
  }
  const listener = listenerOf({
    async fetch(request: Request) {
      const known = sessions.get(request.headers.get('mcp-session-id') ?? '')
      if (request.method !== 'DELETE') return (known ?? (await begin())).handleRequest(request)
      deletes++
      return onDelete(() => known!.handleRequest(request))
    },
  })
  return Object.assign(await listen(listener), { open, deletes: () => deletes })
}

test('N18: a session is ended with its connection, once', async () => {
  await using server = await sessionServer((end) => end())
  const { close } = await connectServer({ url: server.url })
  expect(server.open.size).toBe(1)
  await Promise.all([close(), close()])
  await close()
  expect(server.open.size).toBe(0)
  expect(server.deletes()).toBe(1)
})

test('S4, X6: pull and verify leave no session behind, whatever becomes of them', async () => {
  await using server = await sessionServer((end) => end())
  const cwd = await temporaryFolder()
  const pull = ['pull', '--out', 'x', server.url]
  expect(await run(pull, { cwd })).toMatchObject({ code: 0 })
  expect(await run(['verify', server.url], { cwd })).toMatchObject({ code: 0 })
  const failed = { code: 2, output: expect.stringContaining('lists no skill named "none"') }
  expect(await run([...pull, 'none'], { cwd })).toMatchObject(failed)
  expect(server.deletes()).toBe(3)
  expect(server.open.size).toBe(0)
})

test.each<[string, () => Promise<Response>]>([
  ['does not allow that', async () => new Response(null, { status: 405 })],
  ['fails at it', async () => new Response('secret', { status: 500 })],
  ['never answers', () => new Promise<never>(() => {})],
])(
  'X6: where a session is ended, a server that %s changes no result and holds nothing up',
  async (_, answer) => {
    await using server = await sessionServer(answer)
    const cwd = await temporaryFolder()
    const { code, output } = await run(['verify', server.url], { cwd })
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('all as listed') })
    expect(output).not.toContain('secret')
    const failed = await run(['pull', 'none', '--out', 'x', server.url], { cwd })
    expect(failed).toMatchObject({
      code: 2,
      output: expect.stringMatching(/^The server .* lists no skill named/),
    })
    expect(server.deletes()).toBe(2)
  },
)
