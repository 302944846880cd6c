/**
 * Serves skills through an MCP server behind Express or another server of Connect's kind, such as
 * `xmcp` on Node: the server answers first.
 *
 * @example
 * import { skillsMiddleware } from '@embed-skills/runtime/express'
 * import skills from 'virtual:skills'
 *
 * app.use('/mcp', skillsMiddleware(skills, { auth: 'public' }))
 *
 * @module
 */
import type { Skills } from './catalog.ts'
import type { WithSkillsOptions } from './fetch/with-skills.ts'
import { withSkills } from './fetch/with-skills.ts'

/** As much of Node's `IncomingMessage` as is needed; `body` is what a body parser left. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** The whole path, where `url` is what is left of it below the path of a router. */
  readonly originalUrl?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  body?: any
  /** The caller as middleware before this one verified it, such as `requireBearerAuth` of the official SDK. */
  readonly auth?: unknown
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterable<Uint8Array>
  unshift(chunk: Uint8Array): void
}

/** As much of Node's `ServerResponse` as is needed. */
export interface NodeResponse {
  statusCode: number
  getHeaders(): Record<string, any>
  setHeader(name: string, value: any): unknown
  setHeaders(headers: Headers): unknown
  removeHeader(name: string): void
  on(event: 'close', listener: () => void): unknown
  writeHead: (...args: any[]) => any
  flushHeaders: (...args: any[]) => any
  write: (...args: any[]) => any
  end: (...args: any[]) => any
}

type Next = (error?: unknown) => void

/**
 * Middleware that adds skills to what comes after it. Put it behind your own authentication, and ahead
 * of the MCP server, on its path. Body parsers may come before it.
 *
 * @throws TypeError without `auth: 'public'` or `authenticate`.
 */
export function skillsMiddleware(
  skills: Skills,
  options: WithSkillsOptions,
): (request: NodeRequest, response: NodeResponse, next: Next) => Promise<void> {
  const server = withSkills((_, __, inner: () => Promise<Response>) => inner(), skills, options)
  const { maxBodyBytes = 2 ** 22 } = options
  return async (request, response, next) => {
    if (request.method !== 'POST' || request.headers['content-encoding']) return next()
    const { write, writeHead, end, flushHeaders } = response
    try {
      const gone = new AbortController()
      response.on('close', () => gone.abort())
      const given = await webRequest(request, maxBodyBytes, gone.signal)
      if (!given) return next()
      const answer = await server.fetch(given, { authInfo: request.auth }, () => captured(response, next))
      for (const name of Object.keys(response.getHeaders())) response.removeHeader(name)
      response.setHeaders(answer.headers)
      // What comes after may still be writing, so its hands stay off the real response.
      writeHead.call(response, answer.status)
      const client = new WritableStream({ write: (chunk) => void write.call(response, chunk) })
      // It ends early only where nobody is there any more.
      await answer.body?.pipeTo(client, gone).catch(() => {})
      end.call(response)
    } catch (error) {
      Object.assign(response, { write, writeHead, end, flushHeaders })
      next(error)
    }
  }
}

/**
 * The request as the web's kind, its body read and parsed for those who come after; nothing where that is
 * larger than `limit`, and then it is as it was.
 */
async function webRequest(
  request: NodeRequest,
  limit: number,
  signal: AbortSignal,
): Promise<Request | undefined> {
  let { body } = request
  if (body === undefined) {
    const chunks: Uint8Array[] = []
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk)
      if ((limit -= chunk.length) < 0) {
        for (const read of chunks.reverse()) request.unshift(read)
        return undefined
      }
    }
    body = await new Blob(chunks as BlobPart[]).text()
    try {
      // A body parser takes it from here, since there is nothing left to read.
      Object.assign(request, { body: JSON.parse(body), _body: true })
    } catch {
      request.body = body
    }
  }
  // Without the pseudo-headers of HTTP/2, and the length of what may be written in another way.
  const headers = Object.entries(request.headers).filter(([name]) => !/^:|^content-length$/.test(name))
  return new Request(
    new URL(request.originalUrl ?? request.url!, `http://${request.headers['host'] ?? 'localhost'}`),
    {
      method: 'POST',
      headers: headers as [string, string][],
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal,
    },
  )
}

/** What comes after a middleware, as a response: it is written into a stream, and not to the client. */
function captured(response: NodeResponse, next: Next): Promise<Response> {
  const encoder = new TextEncoder()
  return new Promise((resolve) => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    // What comes after the end, or when nobody is there any more, is for nobody.
    const ignore = (): void => {}
    let isOpen = false
    function open(): void {
      if (isOpen) return
      isOpen = true
      const headers = new Headers()
      for (const [name, value] of Object.entries(response.getHeaders()))
        for (const one of [value].flat()) headers.append(name, String(one))
      const { statusCode: status } = response
      resolve(new Response([204, 205, 304].includes(status) ? undefined : readable, { status, headers }))
    }
    function send(chunk: unknown): void {
      open()
      const bytes = typeof chunk === 'string' ? encoder.encode(chunk) : chunk
      if (bytes instanceof Uint8Array) writer.write(bytes).catch(ignore)
    }
    const called = (args: unknown[]): void =>
      (args.find((arg) => typeof arg === 'function') as Next | undefined)?.()
    response.writeHead = (status: number, ...rest: unknown[]) => {
      response.statusCode = status
      const given = rest.find((arg) => typeof arg === 'object') ?? {}
      for (const [name, value] of Object.entries(headersIn(given))) response.setHeader(name, value)
      open()
      return response
    }
    response.flushHeaders = open
    response.write = (chunk: unknown, ...rest: unknown[]) => {
      send(chunk)
      called(rest)
      return true
    }
    response.end = (...args: unknown[]) => {
      send(args[0])
      writer.close().catch(ignore)
      called(args)
      return response
    }
    next()
  })
}

/** The headers that `writeHead` was given: an object, or names and values in turn. */
function headersIn(given: object): object {
  if (!Array.isArray(given)) return given
  const headers: Record<string, unknown[]> = {}
  given.forEach((name: string, index) => {
    if (index % 2 === 0) (headers[name] ??= []).push(given[index + 1])
  })
  return headers
}
