import type { CatalogOptions, Feature, Logger, Skills } from '@embed-skills/runtime'
import { createCatalog, instructions } from '@embed-skills/runtime'
import { serveSkills } from '@embed-skills/runtime/fetch'
import { attachSkills } from '@embed-skills/runtime/mcp'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import type { AuthInfo } from '@modelcontextprotocol/server'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'

export const info = { name: 'test', version: '1.0.0' }

/** A server, and how a request reaches it as a caller whom it verified. */
export interface TestServer {
  fetch(request: Request, authInfo?: AuthInfo): Promise<Response>
}

export const kinds = ['serveSkills', 'official v2'] as const

/** How a test server answers. */
export interface TestOptions extends CatalogOptions {
  readonly features?: readonly Feature[]
  /** Tells each caller at the start what skills there are. */
  readonly instructed?: boolean
}

/** Serves skills the way that `kind` says, to callers whom something in front has verified. */
export function serve(
  kind: (typeof kinds)[number],
  skills: Skills,
  { instructed = false, ...options }: TestOptions = {},
): TestServer {
  const catalog = createCatalog(skills, { verified: true, ...options })
  const textFor = async (authInfo: AuthInfo | undefined): Promise<{ instructions?: string }> =>
    instructed ? { instructions: await instructions(catalog, { authInfo }) } : {}
  if (kind === 'official v2') {
    const handler = createMcpHandler(async ({ authInfo }) => {
      const server = new McpServer(info, await textFor(authInfo))
      attachSkills(server, skills, options)
      return server
    })
    return { fetch: (request, authInfo) => handler.fetch(request, authInfo && { authInfo }) }
  }
  const server = instructed ? undefined : serveSkills(skills, info, { verified: true, ...options })
  return {
    async fetch(request, authInfo) {
      const { fetch } =
        server ?? serveSkills(skills, info, { verified: true, ...options, ...(await textFor(authInfo)) })
      return fetch(request, authInfo && { authInfo })
    },
  }
}

export interface Connection {
  readonly client: Client
  readonly reader: SkillsClient
  /** A request as it is, for what the client would not send; the result or the error. */
  rpc(method: string, params?: object): Promise<Answer>
  /** Every file of every listed skill, verified by the client. */
  readAll(): Promise<Record<string, Record<string, string>>>
  close(): Promise<void>
}

export interface Answer {
  readonly result?: any
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** The official client, connected. */
export async function connect(
  server: TestServer,
  { mode = 'auto', authInfo }: { mode?: 'auto' | 'legacy'; authInfo?: AuthInfo } = {},
): Promise<Connection> {
  const client = new Client(info, { versionNegotiation: { mode } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/'), {
      fetch: (url, init) => server.fetch(new Request(url, init), authInfo),
    }),
  )
  const reader = new SkillsClient(client)
  return {
    client,
    reader,
    rpc: (method, params = {}) => rpc(server, method, params, authInfo),
    async readAll() {
      const all: Record<string, Record<string, string>> = {}
      for (const { uri } of (await reader.list()).skills) {
        const { skill } = await reader.get(uri)
        if (skill.resources === 'dynamic') continue
        const root = uri.slice(0, -'SKILL.md'.length)
        all[uri] = {}
        for (const file of skill.resources) {
          const { bytes, verified } = await reader.read(skill, file.uri)
          if (!verified) throw new Error(`${file.uri} was not verified`)
          all[uri][file.uri.slice(root.length)] = Buffer.from(bytes).toString()
        }
      }
      return all
    },
    close: () => client.close(),
  }
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': info,
}

/** One modern request, by hand. */
export async function rpc(...asked: Parameters<typeof exchange>): Promise<Answer> {
  const text = await (await exchange(...asked)).text()
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text
  const { result, error } = JSON.parse(data) as Answer
  return { ...(result && { result }), ...(error && { error }) }
}

/** The response to one modern request, as it came. */
export function exchange(
  server: TestServer,
  method: string,
  params: object = {},
  authInfo?: AuthInfo,
  signal?: AbortSignal,
): Promise<Response> {
  const { uri, name = uri } = params as { uri?: string; name?: string }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } })
  const request = new Request('http://localhost/', {
    method: 'POST',
    headers,
    body,
    ...(signal && { signal }),
  })
  return server.fetch(request, authInfo)
}

/** A logger that keeps what it is told. */
export function recorder(): Logger & { readonly messages: string[]; readonly causes: unknown[] } {
  const messages: string[] = []
  const causes: unknown[] = []
  const note = (level: string) => (message: string, cause?: unknown) => {
    messages.push(`${level}: ${message}`)
    if (cause !== undefined) causes.push(cause)
  }
  return { messages, causes, warn: note('warn'), error: note('error') }
}
