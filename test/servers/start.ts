import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CompiledSkill } from '@embed-skills/compiler'
import type { Snippet } from '../support/snippets.ts'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { bundle } from '../support/snippets.ts'

/** A server that runs, at a URL. */
export interface Running {
  readonly url: string
  close(): Promise<void>
}

/** Starts the server of a snippet on a local port. */
export async function start(snippet: Snippet, skills: readonly CompiledSkill[]): Promise<Running> {
  const location = snippet.options['path'] ?? '/'
  if (snippet.kind === 'process') return startProcess(await bundle(snippet.code, skills), location)
  if (snippet.kind === 'worker')
    return startWorker(snippet, await bundle(snippet.code, skills, 'worker'), location)
  const { default: server } = await import(pathToFileURL(await bundle(snippet.code, skills)).href)
  return listen(server, location)
}

/** Starts the server of a snippet once more, with a `guard` that lets pages of an origin in. */
export function startGuarded(
  snippet: Snippet,
  skills: readonly CompiledSkill[],
  origin: string,
): Promise<Running> {
  const code = `import { guard as guarded } from '@embed-skills/runtime/fetch'
${snippet.code.replace(/^export default /m, 'const server_ = ')}
export default guarded(server_, { allowedOrigins: ['${origin}'] })`
  return start({ ...snippet, code }, skills)
}

/** Serves a fetch handler over HTTP. */
export async function listen(server: { fetch(request: Request): any }, location = '/'): Promise<Running> {
  const handler = toNodeHandler({ fetch: (request: Request) => server.fetch(request) })
  const http = createServer((request, response) => void handler(request as any, response))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${location}`,
    async close() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
}

async function startProcess(file: string, location: string): Promise<Running> {
  const port = await freePort()
  const child = spawnGroup(process.execPath, [file], { env: { ...process.env, PORT: String(port) } })
  const url = `http://127.0.0.1:${port}${location}`
  await reachable(url)
  return { url, close: () => ended(child) }
}

async function startWorker(snippet: Snippet, file: string, location: string): Promise<Running> {
  const { Miniflare } = await import('miniflare')
  const durable = snippet.options['durable']
  const worker = {
    name: 'snippet',
    modules: true,
    modulesRoot: path.dirname(file),
    modulesRules: [{ type: 'ESModule', include: ['**/*.mjs'] }],
    scriptPath: file,
    compatibilityDate: '2026-06-11',
    compatibilityFlags: ['nodejs_compat'],
    ...(durable && { durableObjects: { [durable]: { className: durable, useSQLite: true } } }),
  }
  const miniflare = new Miniflare({ host: '127.0.0.1', port: 0, cf: false, workers: [worker] } as any)
  const { origin } = await miniflare.ready
  return { url: origin + location, close: () => miniflare.dispose() }
}

/** Starts a program in a process group of its own, so that what it starts in turn ends with it. */
export function spawnGroup(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): ChildProcess {
  return spawn(command, args, { ...options, detached: true, stdio: 'ignore' })
}

/** Ends a group and waits for the program that it started with. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  process.kill(-child.pid!, 'SIGKILL')
  await once(child, 'exit')
}

/** Resolves once something answers at a URL. */
export async function reachable(url: string): Promise<void> {
  await eventually(async () => {
    await (await fetch(url, { method: 'POST' })).body?.cancel()
  })
}
