import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import type { WithSkillsOptions } from './fetch/with-skills.ts'
import { skillsMiddleware } from './express.ts'
import { bearerAuth } from './fetch/bearer.ts'
import { call, SKILLS } from './testing/skills.ts'

let close: (() => void) | undefined
afterEach(() => close?.())

/** A server of Node, its middleware and what comes after it. */
async function serve(
  options: WithSkillsOptions,
  next: (request: any, response: any) => void,
  ahead: (request: any) => void = () => {},
): Promise<string> {
  const middleware = skillsMiddleware(SKILLS, options)
  const server = createServer((request: any, response: any) => {
    ahead(request)
    void middleware(request, response, (error) =>
      error ? response.writeHead(500).end(String(error)) : next(request, response),
    )
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  close = () => {
    server.closeAllConnections()
    server.close()
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

/** Posts a body in pieces, without saying how long it is. */
function postPieces(url: string, pieces: Iterable<string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const posted = send(url, { method: 'POST', headers }, (response) => {
      response.setEncoding('utf8')
      let text = ''
      response.on('data', (chunk) => (text += chunk)).on('end', () => resolve(text))
    })
    posted.on('error', reject)
    Readable.from(pieces).pipe(posted)
  })
}

const unknown = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }

/** Says how many bytes it was left to read, and whether somebody has read them. */
function count(request: any, response: any): void {
  let bytes = 0
  request.on('data', (chunk: Uint8Array) => (bytes += chunk.length))
  request.on('end', () => response.end(JSON.stringify({ bytes, isParsed: request.body !== undefined })))
}

test.each([1, 2, 10, 500])(
  'a body over the limit is left whole to who comes after: %d pieces',
  async (many) => {
    const url = await serve({ auth: 'public', maxBodyBytes: 1000 }, count)
    const pieces = Array.from({ length: many }, () => 'x'.repeat(2000))
    expect(JSON.parse(await postPieces(url, pieces))).toEqual({ bytes: many * 2000, isParsed: false })
    const response = await fetch(url, { method: 'POST', body: pieces.join('') })
    expect(await response.json()).toEqual({ bytes: many * 2000, isParsed: false })
  },
)

test('a body in pieces, at the limit, is looked into', async () => {
  const body = JSON.stringify(call('skills/list'))
  const url = await serve({ auth: 'public', maxBodyBytes: body.length }, (request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ...unknown, id: request.body.id }))
  })
  expect(JSON.parse(await postPieces(url, body))).toMatchObject({ id: 1, result: { skills: [{}, {}] } })
})

test('headers may be given to writeHead as names and values in turn', async () => {
  const url = await serve({ auth: 'public' }, (_, response) => {
    response.setHeader('x-kept', '1')
    response.writeHead(200, 'OK', [
      'content-type',
      'application/json',
      'set-cookie',
      'a=1',
      'set-cookie',
      'b=2',
    ])
    response.end(JSON.stringify(unknown))
  })
  for (const method of ['skills/list', 'tools/list']) {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(call(method)) })
    const { headers } = response
    expect([headers.get('content-type'), headers.getSetCookie(), headers.get('x-kept')]).toEqual([
      'application/json',
      ['a=1', 'b=2'],
      '1',
    ])
    expect(headers.get('0')).toBeNull()
    expect(await response.json()).toHaveProperty(method === 'skills/list' ? 'result' : 'error')
  }
})

test('below the path of a router the whole path counts', async () => {
  const asked: string[] = []
  const bearer = bearerAuth({ verify: () => undefined, resourceMetadata: { authorization_servers: [] } })
  const url = await serve(
    { authenticate: (request) => (asked.push(request.url), bearer(request)) },
    (_, response) => response.end(JSON.stringify(unknown)),
    (request) => Object.assign(request, { originalUrl: request.url, url: '/' }),
  )
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(call('skills/list')) })
  const { origin } = new URL(url)
  expect([response.status, asked]).toEqual([401, [url]])
  expect(response.headers.get('www-authenticate')).toBe(
    `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
  )
})

test('what is still written after the end, or to who went away, is for nobody', async () => {
  let late!: () => void
  const wrote = new Promise<void>((resolve) => (late = resolve))
  const url = await serve({ auth: 'public' }, (_, response) => {
    response.setHeader('content-type', 'text/event-stream')
    response.write(': hello\n\n')
    response.on('close', () =>
      setImmediate(() => {
        response.write(': more\n\n')
        response.end(`data: ${JSON.stringify(unknown)}\n\n`)
        response.end()
        late()
      }),
    )
  })
  const gone = new AbortController()
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(call('skills/list')),
    signal: gone.signal,
  })
  const reader = response.body!.getReader()
  expect(new TextDecoder().decode((await reader.read()).value)).toBe(': hello\n\n')
  gone.abort()
  await expect(reader.read()).rejects.toThrow('aborted')
  await wrote
})
