import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SkillServer } from '@embed-skills/runtime/fetch'

const HOST = '127.0.0.1'
const MAX_BODY = 4_194_304

/** Serves on the loopback interface alone, until SIGINT or SIGTERM. */
export async function serveHttp(
  skills: SkillServer,
  port: number,
  onListening: (url: string) => void,
): Promise<void> {
  const server = createServer((incoming, outgoing) => {
    answer(skills, incoming, outgoing).catch(() => outgoing.writeHead(400).end())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, resolve)
  })
  onListening(`http://${HOST}:${(server.address() as AddressInfo).port}/`)
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve)
  })
  server.closeAllConnections()
  server.close()
}

async function answer(
  skills: SkillServer,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const port = incoming.socket.localPort!
  // A page of another site can make its own name lead here, but not change the name it asks for.
  const host = incoming.headers.host ?? ''
  if (![`${HOST}:${port}`, `localhost:${port}`].includes(host)) {
    outgoing.writeHead(403).end()
    return
  }
  const body = await bodyOf(incoming)
  if (body === undefined) {
    outgoing.writeHead(413).end()
    return
  }
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, [value].flat().join(', '))
  const { method = 'GET', url = '/' } = incoming
  const isBodiless = method === 'GET' || method === 'HEAD'
  const request = new Request(new URL(url, `http://${host}`), {
    method,
    headers,
    ...(!isBodiless && { body }),
  })
  const response = await skills.fetch(request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
