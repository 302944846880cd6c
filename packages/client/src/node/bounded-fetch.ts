/** Four times what a skill may be: base64 and JSON escapes make text longer than its bytes. */
const LIMIT = 64 * 1024 * 1024

/**
 * A `fetch` whose answers end with an error beyond a number of bytes, so that no server can fill the memory
 * before anything of what it sent can be checked. The pages of a listing count together. A stream of events may go
 * on for ever: each of its events is bounded.
 */
export function boundedFetch(limit: number = LIMIT, inner: typeof fetch = fetch): typeof fetch {
  const pages = new Pages()
  return async (input, init) => {
    const page = pages.measure(init?.body)
    const response = await inner(input, init)
    if (!response.body) return response
    const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
    const measure = page ?? (isStream ? sinceEvent() : inAll())
    const bounded = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          if (measure(chunk) <= limit) return controller.enqueue(chunk)
          const what = page ? 'the pages of a listing' : 'one answer'
          controller.error(new Error(`The server sent more than ${limit} bytes in ${what}.`))
        },
      }),
    )
    return new Response(bounded, response)
  }
}

type Measure = (chunk: Uint8Array) => number

/** What came of each listing, since its first page was asked for: a client keeps all pages until the last one. */
class Pages {
  readonly #received = new Map<string, number>()

  /** @param body Of a request; nothing is given if it asks for no page. */
  measure(body: unknown): Measure | undefined {
    const { method, params } = requestOf(body)
    if (method === undefined) return undefined
    if (params?.cursor === undefined) this.#received.delete(method)
    return (chunk) => {
      const received = (this.#received.get(method) ?? 0) + chunk.length
      this.#received.set(method, received)
      return received
    }
  }
}

const PAGED = /"(?:skills\/list|resources\/directory\/read)"/

function requestOf(body: unknown): {
  readonly method?: string
  readonly params?: { readonly cursor?: unknown }
} {
  if (typeof body !== 'string' || !PAGED.test(body)) return {}
  const request = JSON.parse(body) as { method?: unknown; params?: { cursor?: unknown } }
  const { method, params } = request
  return typeof method === 'string' && PAGED.test(`"${method}"`) ? { method, ...(params && { params }) } : {}
}

function inAll(): Measure {
  let bytes = 0
  return (chunk) => (bytes += chunk.length)
}

const [LF, CR] = [10, 13]

/** The most bytes that an event holds that this chunk adds to: a line without anything ends one. */
function sinceEvent(): Measure {
  let bytes = 0
  let isLineEmpty = true
  let previous = 0
  return (chunk) => {
    let most = 0
    for (const byte of chunk) {
      bytes++
      const endsLine = byte === CR || (byte === LF && previous !== CR)
      if (endsLine) {
        most = Math.max(most, bytes)
        if (isLineEmpty) bytes = 0
        isLineEmpty = true
      } else if (byte !== LF) isLineEmpty = false
      previous = byte
    }
    return Math.max(most, bytes)
  }
}
