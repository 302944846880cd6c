/** Four times what a skill may be: base64 and JSON escapes make text longer than its bytes. */
const LIMIT = 64 * 1024 * 1024

/**
 * A `fetch` whose answers end with an error beyond a number of bytes, so that no server can fill the memory
 * before anything of what it sent can be checked. A stream of events may go on for ever: each of its events
 * is bounded.
 */
export function boundedFetch(limit: number = LIMIT, inner: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init)
    if (!response.body) return response
    const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
    const measure = isStream ? sinceEvent() : inAll()
    const bounded = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          if (measure(chunk) <= limit) controller.enqueue(chunk)
          else controller.error(new Error(`The server sent more than ${limit} bytes in one answer.`))
        },
      }),
    )
    return new Response(bounded, response)
  }
}

function inAll(): (chunk: Uint8Array) => number {
  let bytes = 0
  return (chunk) => (bytes += chunk.length)
}

const [LF, CR] = [10, 13]

/** The most bytes that an event holds that this chunk adds to: a line without anything ends one. */
function sinceEvent(): (chunk: Uint8Array) => number {
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
