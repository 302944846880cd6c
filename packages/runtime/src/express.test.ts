import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { WithSkillsOptions } from './fetch/with-skills.ts'
import { skillsMiddleware } from './express.ts'
import { call, SKILLS } from './testing/skills.ts'

let close: (() => void) | undefined
afterEach(() => close?.())

/** A server that reads its body itself unless somebody has, and knows no method. */
async function serve(options: WithSkillsOptions, write: (response: any, body: any) => void): Promise<string> {
  const middleware = skillsMiddleware(SKILLS, options)
  const server = createServer((request: any, response) => {
    void middleware(request, response as any, async (error?: unknown) => {
      if (error) return response.writeHead(500).end(String(error))
      if (request.body === undefined) {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk)
        request.body = Buffer.concat(chunks).toString()
      }
      write(response, request.body)
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  close = () => {
    server.closeAllConnections()
    server.close()
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

function send(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: text,
  })
}

const unknown = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }

test('what comes after answers first, in one piece or in many', async () => {
  for (const write of [
    (response: any) =>
      response.writeHead(200, { 'content-type': 'application/json', etag: 'x' }).end(JSON.stringify(unknown)),
    (response: any) => {
      response.setHeader('content-type', 'text/event-stream')
      response.flushHeaders()
      response.write(': hello\n\n')
      setImmediate(() => response.end(`id: 1\ndata: ${JSON.stringify(unknown)}\n\n`))
    },
  ]) {
    const url = await serve({ auth: 'public' }, write)
    const response = await send(url, call('skills/list'))
    expect([response.status, response.headers.get('etag')]).toEqual([200, null])
    expect(await response.text()).toContain('skill://refunds/SKILL.md')
    close?.()
  }
})

test('what it answers stands, its headers and cookies too', async () => {
  const url = await serve({ auth: 'public' }, (response, body) => {
    response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'], etag: 'x' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  const response = await send(url, call('tools/list'))
  expect([response.status, response.headers.getSetCookie(), response.headers.get('etag')]).toEqual([
    201,
    ['a=1', 'b=2'],
    'x',
  ])
  expect(await response.json()).toEqual(call('tools/list'))
  expect(await (await send(url, 'no json')).text()).toBe('no json')
  expect((await fetch(url)).status).toBe(201)
})

test('nobody gets 401', async () => {
  const url = await serve({ authenticate: () => undefined }, (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(unknown)),
  )
  expect((await send(url, call('skills/list'))).status).toBe(401)
})
