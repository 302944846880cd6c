/** Four times what a skill may be: base64 and JSON escapes make text longer than its bytes. */
export const LIMIT: number = 64 * 1024 * 1024

/**
 * A `fetch` whose answers to posts end with an error beyond a number of bytes, so that no server can fill
 * the memory before anything of what it sent can be checked.
 */
export function boundedFetch(limit: number = LIMIT, inner: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init)
    if (!response.body || init?.method !== 'POST') return response
    let bytes = 0
    const bounded = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.length
          if (bytes <= limit) controller.enqueue(chunk)
          else controller.error(new Error(`The server sent more than ${limit} bytes in one answer.`))
        },
      }),
    )
    return new Response(bounded, response)
  }
}
