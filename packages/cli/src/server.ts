/** The server that a command line names: a URL, or a command after `--`; and what must not be printed. */
import type { ConnectedServer, ServerTarget } from '@embed-skills/client/node'
import type { Arguments, Command, Io } from './command.ts'
import { UsageError } from './command.ts'

/** The options of commands that connect to a server. */
export const SERVER_OPTIONS: Command['options'] = {
  header: { type: 'string', multiple: true },
}

/** How those commands explain themselves. */
export const SERVER_USAGE = "<url> [--header 'Name: value'] | -- <command...>"

export const SERVER_DETAILS = `  url                    of an MCP server: https://acme.example/mcp
  command                that starts an MCP server on stdin and stdout

      --header <text>    'Name: value', sent to the URL; may be given several times. In CI, the environment
                         is safer: EMBED_SKILLS_TOKEN for a bearer token, EMBED_SKILLS_HEADERS for headers`

/** Sent as `Authorization: Bearer`, and headers as `--header` has them, one a line. */
const TOKEN = 'EMBED_SKILLS_TOKEN'
const HEADERS = 'EMBED_SKILLS_HEADERS'

/** Whether a command line names a server. */
export function namesServer({ positionals, afterDashes }: Arguments): boolean {
  return afterDashes.length > 0 || isUrl(positionals[0])
}

function isUrl(text: string | undefined): boolean {
  return /^https?:\/\//i.test(text ?? '') && URL.canParse(text!)
}

/** The server, what else the command line holds, and the secrets among it. */
export interface NamedServer {
  readonly target: ServerTarget
  readonly others: readonly string[]
  readonly secrets: readonly string[]
}

/** @throws UsageError if no server is named, or a header is none. */
export function serverOf({ positionals, afterDashes, values }: Arguments): NamedServer {
  const ahead = positionals.slice(0, positionals.length - afterDashes.length)
  const [command, ...args] = afterDashes
  if (command !== undefined) {
    // The command is the user's own and gets the user's environment, but not what is meant for a URL.
    const { [TOKEN]: _token, [HEADERS]: _headers, ...env } = process.env as Record<string, string>
    return { target: { command, args, env }, others: ahead, secrets: [] }
  }
  const at = ahead.findIndex(isUrl)
  if (at < 0)
    throw new UsageError(
      'Name a server: its URL, which begins with https:// or http://, or after -- the command that starts it.',
    )
  return httpServer(ahead[at]!, ahead.toSpliced(at, 1), (values['header'] ?? []) as string[])
}

function httpServer(given: string, others: readonly string[], options: readonly string[]): NamedServer {
  const url = new URL(given)
  const headers: Record<string, string> = {}
  const token = process.env[TOKEN]
  if (token) headers['Authorization'] = `Bearer ${token}`
  // `fetch` takes no URL with a password in it.
  if (url.username || url.password) {
    const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    headers['Authorization'] = `Basic ${Buffer.from(login).toString('base64')}`
  }
  const lines = (process.env[HEADERS] ?? '').split('\n').filter((line) => line.trim() !== '')
  for (const line of [...lines, ...options]) {
    const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    // The line itself may hold a secret, and is not shown.
    if (!name || !value) throw new UsageError("A header is written as --header 'Name: value'.")
    headers[name] = value
  }
  const secrets = [url.password, url.search.slice(1), ...url.searchParams.values(), ...Object.values(headers)]
  url.username = ''
  url.password = ''
  const parts = secrets.flatMap((secret) => [secret, secret.replace(/^\S+\s+/, ''), decoded(secret)])
  return {
    target: { url: url.href, ...(Object.keys(headers).length > 0 && { headers }) },
    others,
    secrets: [...new Set(parts)].filter(isSecret).sort((a, b) => b.length - a.length),
  }
}

/** Shorter ones are in every other word. */
function isSecret(text: string): boolean {
  return text.length > 3
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Connects, has something done, and disconnects. What goes wrong is told without the secrets: exit code 2.
 * Whoever interrupts it the first time has it end in order: 130. A second time ends it at once.
 */
export async function withServer(
  server: NamedServer,
  io: Io,
  use: (connected: ConnectedServer, io: Io, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const quiet = hiding(server.secrets, io)
  const { connectServer } = await import('@embed-skills/client/node')
  const stop = new AbortController()
  let connected: ConnectedServer | undefined
  // What was done is done, and what went wrong before is what counts.
  const close = async (): Promise<void> => connected?.close().catch(() => {})
  const interrupt = (): void => {
    stop.abort(new Error('Interrupted'))
    void close()
  }
  try {
    connected = await connectServer(server.target)
    for (const name of INTERRUPTS) process.once(name, interrupt)
    const code = await use(connected, quiet, stop.signal)
    return stop.signal.aborted ? INTERRUPTED : code
  } catch (error) {
    if (stop.signal.aborted) {
      io.err('Interrupted.')
      return INTERRUPTED
    }
    quiet.err(connected ? reasonsOf(error as Error) : whyUnreached(server.target, error as Error))
    return 2
  } finally {
    for (const name of INTERRUPTS) process.off(name, interrupt)
    await close()
  }
}

const INTERRUPTS = ['SIGINT', 'SIGTERM'] as const
const INTERRUPTED = 130

function whyUnreached(target: ServerTarget, error: Error): string {
  const why = `Could not connect to ${nameOf(target)}. ${reasonsOf(error)}`
  if ('url' in target) return why
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
    ? `There is no command ${target.command}.`
    : `${why}. Does the command serve MCP on stdin and stdout?`
}

/** What an error says, and what its causes add. */
function reasonsOf({ message, cause }: Error): string {
  if (!(cause instanceof Error)) return message
  const reasons = reasonsOf(cause)
  if (message.includes(reasons)) return message
  return message.endsWith(cause.message)
    ? message.slice(0, -cause.message.length) + reasons
    : `${message}: ${reasons}`
}

/** A server as it may be shown. */
function nameOf(target: ServerTarget): string {
  if (!('url' in target)) return target.command
  const { origin, pathname } = new URL(target.url)
  return origin + pathname
}

/** Much of what is printed are a server's words: they must not steer the terminal, or order their letters anew. */
const STEERING = /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu

function hiding(secrets: readonly string[], io: Io): Io {
  const hide = (text: string): string =>
    secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text.replace(STEERING, '\uFFFD'))
  return {
    ...io,
    out: (text) => io.out(hide(text)),
    err: (text) => io.err(hide(text)),
    ...(io.progress && { progress: (text: string) => io.progress!(hide(text)) }),
  }
}

/** What a server says begins no line of its own, where a reader takes it for ours. */
export function oneLine(text: string): string {
  // An expression for the blanks around would take the square of the time for a long run of them.
  const [first = '', ...more] = text.split('\n')
  return more.length ? [first.trimEnd(), ...more.map((line) => line.trim()).filter(Boolean)].join(' ') : text
}
