/** Runs jobs, at most so many at once; the others wait in line. */
export type Gate = <T>(job: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** A gate for `width` jobs at once. A job whose signal is aborted leaves the line. */
export function createGate(width: number): Gate {
  let running = 0
  const waiting = new Set<() => void>()

  function enter(signal: AbortSignal | undefined): Promise<void> | undefined {
    signal?.throwIfAborted()
    if (running < width) {
      running++
      return undefined
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(go)
        reject(signal!.reason as Error)
      }
      const go = (): void => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      signal?.addEventListener('abort', leave, { once: true })
      waiting.add(go)
    })
  }

  return async (job, signal) => {
    await enter(signal)
    try {
      return await job()
    } finally {
      // The place goes to the next in line, or is free.
      const [next] = waiting
      if (next) {
        waiting.delete(next)
        next()
      } else running--
    }
  }
}

/** `compute` of every item, in order, at most `width` at once. */
export async function mapBounded<T, R>(
  items: readonly T[],
  compute: (item: T) => R | Promise<R>,
  width = 16,
): Promise<R[]> {
  const gate = createGate(width)
  return Promise.all(items.map((item) => gate(async () => compute(item))))
}
