import path from 'node:path'
import type { ClientOptions, Implementation } from '@modelcontextprotocol/client'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { boundedFetch } from './bounded-fetch.ts'
import { endSession } from './session.ts'
import { shortHash } from './short-hash.ts'

/**
 * The largest file that every host accepts, as base64, and some room: the transport's own 10 MiB are too few.
 * It joins all that it holds with each piece that comes, so that a larger bound takes the square of the time.
 */
const STDIO_LIMIT = 24 * 1024 * 1024

/** Where a server is. */
export type ServerTarget =
  | {
      readonly url: string
      /** Sent with every request, to this origin alone: a redirect is an error where there are any. */
      readonly headers?: Readonly<Record<string, string>>
    }
  | {
      readonly command: string
      readonly args?: readonly string[]
      readonly cwd?: string
      readonly env?: Readonly<Record<string, string>>
    }

export interface ConnectedServer {
  readonly client: Client
  /** What `addServer` takes: the URL or the command, with a hash in place of what may be secret. */
  readonly identity: string
  /** A label that the host may give it, made from the host name or the command. */
  readonly label: string
  /** Ends the session, where the server keeps one, and the connection; the first call does it. */
  close(): Promise<void>
}

/**
 * Connects the official client to a server over HTTP or to a command that speaks over its standard streams.
 *
 * @throws Error if nothing answers.
 *
 * @example
 * const { client, identity, label } = await connectServer({ url: 'https://acme.example/mcp' })
 * await host.addServer(label, client, { identity })
 */
export async function connectServer(
  target: ServerTarget,
  info: Implementation = { name: 'embed-skills', version: '1' },
  options: ClientOptions = {},
): Promise<ConnectedServer> {
  const client = new Client(info, {
    versionNegotiation: { mode: 'auto' },
    listMaxPages: 1000,
    ...options,
  })
  const transport = 'url' in target ? http(target) : stdio(target)
  await client.connect(transport)
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    if ('terminateSession' in transport) await endSession(transport)
    await client.close()
  }
  return {
    client,
    identity: identityOf(target),
    label: labelOf(target),
    close: () => (closing ??= close()),
  }
}

function http({ url, headers }: Extract<ServerTarget, { url: string }>): StreamableHTTPClientTransport {
  // Node takes most headers along to wherever a redirect leads.
  const requestInit: RequestInit = headers ? { headers: { ...headers }, redirect: 'error' } : {}
  return new StreamableHTTPClientTransport(new URL(url), { requestInit, fetch: boundedFetch() })
}

function stdio(target: Extract<ServerTarget, { command: string }>): StdioClientTransport {
  const { command, args = [], cwd, env } = target
  return new StdioClientTransport({
    command,
    args: [...args],
    maxBufferSize: STDIO_LIMIT,
    ...(cwd && { cwd }),
    ...(env && { env: { ...env } }),
  })
}

/** Passwords, queries and arguments may be secrets; a hash of them tells servers apart all the same. */
function identityOf(target: ServerTarget): string {
  if (!('url' in target)) {
    const { command, args = [], cwd = '' } = target
    return `${labelOf(target)}#${shortHash(JSON.stringify([command, ...args, cwd]))}`
  }
  const { origin, pathname, username, password, search } = new URL(target.url)
  const secret = username + password + search
  return origin + pathname + (secret && `#${shortHash(secret)}`)
}

function labelOf(target: ServerTarget): string {
  const name =
    'url' in target ? new URL(target.url).host : commandName([target.command, ...(target.args ?? [])])
  const label = name.replace(/[^\w.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  return label.slice(0, 64) || 'server'
}

/** `server.js` of `node --enable-source-maps dist/server.js`. */
function commandName([command, ...args]: readonly string[]): string {
  const runners = new Set(['node', 'npx', 'bunx', 'bun', 'deno', 'uvx', 'python', 'python3', 'tsx'])
  const name = path.basename(command!)
  const script = runners.has(name) ? args.find((arg) => !arg.startsWith('-') && arg !== 'run') : undefined
  return script === undefined ? name : path.basename(script)
}
