// The end of an event: two line ends of any kind. A CR at the very end may be half of one.
const END = /(\r\n|\n|\r(?!\n|$)){2}/

/**
 * Rewrites the data of server-sent events, one by one as they come. What `rewrite` leaves alone is
 * passed on as it is; what it changes loses its event id, since that stands for what it was.
 */
export function rewriteEvents(
  rewrite: (data: string) => Promise<string | undefined>,
): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const encoder = new TextEncoder()
  let text = ''

  async function rewritten(event: string): Promise<Uint8Array> {
    const data: string[] = []
    const kept: string[] = []
    // U+2028 and U+2029 are no line ends here, and may stand in JSON: hence the `s`.
    for (const line of event.split(/\r\n|\n|\r/)) {
      const [, field, value] = /^(data|id)(?:: ?(.*))?$/s.exec(line) ?? []
      if (field === 'data') data.push(value ?? '')
      else if (!field && line) kept.push(line)
    }
    const changed = data[0] && (await rewrite(data.join('\n')))
    return encoder.encode(changed ? [...kept, `data: ${changed}`, '', ''].join('\n') : event)
  }

  return new TransformStream({
    async transform(chunk, controller) {
      const added = decoder.decode(chunk, { stream: true })
      text += added
      // No event ends within a line: to look for that at every piece of a long one takes the square of it.
      if (/[\r\n]/.test(added))
        for (let end; (end = END.exec(text));) {
          const length = end.index + end[0].length
          controller.enqueue(await rewritten(text.slice(0, length)))
          text = text.slice(length)
        }
    },
    async flush(controller) {
      if (text) controller.enqueue(await rewritten(text))
    },
  })
}
