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
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  body?: any
  /** The caller as middleware before this one verified it, such as `requireBearerAuth` of the official SDK. */
  readonly auth?: unknown
}

/** As much of Node's `ServerResponse` as is needed. */
export interface NodeResponse {
  statusCode: number
  getHeaders(): Record<string, any>
  setHeader(name: string, value: any): unknown
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
  return async (request, response, next) => {
    if (request.method !== 'POST' || request.headers['content-encoding']) return next()
    const { write, writeHead, end, flushHeaders } = response
    try {
      const gone = new AbortController()
      response.on('close', () => gone.abort())
      const given = await webRequest(request, gone.signal)
      const answer = await server.fetch(given, { authInfo: request.auth }, () => captured(response, next))
      for (const name of Object.keys(response.getHeaders())) response.removeHeader(name)
      for (const [name, value] of answer.headers) if (name !== 'set-cookie') response.setHeader(name, value)
      if (answer.headers.has('set-cookie')) response.setHeader('set-cookie', answer.headers.getSetCookie())
      // What comes after may still be writing, so its hands stay off the real response.
      writeHead.call(response, answer.status)
      const reader = answer.body?.getReader()
      gone.signal.addEventListener('abort', () => void reader?.cancel().catch(() => {}))
      for (let chunk; (chunk = (await reader?.read())?.value);) write.call(response, chunk)
      end.call(response)
    } catch (error) {
      Object.assign(response, { write, writeHead, end, flushHeaders })
      next(error)
    }
  }
}

/** The request as the web's kind, its body read and parsed for those who come after. */
async function webRequest(request: NodeRequest, signal: AbortSignal): Promise<Request> {
  let { body } = request
  if (body === undefined) {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    body = await new Blob(chunks as BlobPart[]).text()
    try {
      // A body parser takes it from here, since there is nothing left to read.
      Object.assign(request, { body: JSON.parse(body), _body: true })
    } catch {
      request.body = body
    }
  }
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && !name.startsWith(':')) headers.set(name, String(value))
  headers.delete('content-length')
  return new Request(new URL(request.url!, `http://${request.headers['host'] ?? 'localhost'}`), {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal,
  })
}

/** What comes after a middleware, as a response: it is written into a stream, and not to the client. */
function captured(response: NodeResponse, next: Next): Promise<Response> {
  const encoder = new TextEncoder()
  return new Promise((resolve) => {
    let controller!: ReadableStreamDefaultController<Uint8Array>
    let isOpen = false
    let isDone = false
    const body = new ReadableStream<Uint8Array>({
      start: (given) => void (controller = given),
      // Nobody is there any more; what is still written is for nobody.
      cancel: () => void (isDone = true),
    })
    function open(): void {
      if (isOpen) return
      isOpen = true
      const headers = new Headers()
      for (const [name, value] of Object.entries(response.getHeaders()))
        for (const one of [value].flat()) headers.append(name, String(one))
      const { statusCode: status } = response
      resolve(new Response([204, 205, 304].includes(status) ? undefined : body, { status, headers }))
    }
    function send(chunk: unknown): void {
      open()
      if (isDone) return
      if (typeof chunk === 'string') controller.enqueue(encoder.encode(chunk))
      else if (chunk instanceof Uint8Array) controller.enqueue(chunk)
    }
    const called = (args: unknown[]): void =>
      (args.find((arg) => typeof arg === 'function') as Next | undefined)?.()
    response.writeHead = (status: number, ...rest: unknown[]) => {
      response.statusCode = status
      const given = rest.find((arg) => typeof arg === 'object') ?? {}
      for (const [name, value] of Object.entries(given as object)) response.setHeader(name, value)
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
      if (!isDone) controller.close()
      isDone = true
      called(args)
      return response
    }
    next()
  })
}
