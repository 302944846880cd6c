/** Servers to put skills around, each a handler of requests. */

type Handler = (request: Request) => Promise<Response>

/** What a method gives: the answer's members, or how its params lead to them. */
type Result = object | ((params: object) => object | undefined)

interface Message {
  readonly id?: unknown
  readonly method: string
  readonly params: object
}

/** A small server in JSON. `headers` stand on every answer, and `unknown` is the code for other methods. */
export function jsonServer(
  results: Readonly<Record<string, Result>>,
  headers: Record<string, string> = {},
  unknown = -32601,
): Handler {
  const answer = ({ id, method, params }: Message): object | undefined => {
    if (id === undefined) return undefined
    const result = results[method]
    const found = typeof result === 'function' ? result(params) : result
    return { jsonrpc: '2.0', id, ...(found ?? { error: { code: unknown, message: 'Unknown' } }) }
  }
  return async (request) => {
    const body = (await request.json()) as Message | Message[]
    const answers = [body].flat().map(answer).filter(Boolean)
    if (!answers.length) return new Response(null, { status: 202 })
    return Response.json(Array.isArray(body) ? answers : answers[0], { headers })
  }
}

/** A server that streams, whatever it is asked. */
export function streamServer(
  chunks: readonly (string | Uint8Array)[],
  headers: Record<string, string> = {},
): Handler {
  return async () => {
    const rest = [...chunks]
    const body = new ReadableStream({
      pull(controller) {
        const chunk = rest.shift()
        if (chunk === undefined) controller.close()
        else controller.enqueue(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk)
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream', ...headers } })
  }
}

/** The answer of a server that does not know a method. */
export function notFound(id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
}
