import type { WriteStream } from 'node:tty'

/** Milliseconds until there is anything to see, and between two lines. */
const PATIENCE = 1000
const PACE = 100

export interface Progress {
  update(read: number, found: number): void
  /** Clears the line. */
  end(): void
}

/**
 * A line on a terminal that says how far reading has come, if it takes longer than a second. Skills are read
 * without a pause for timers, so that the clock is asked at each.
 */
export function createProgress(
  stream: Pick<WriteStream, 'isTTY' | 'write'> = process.stderr,
  now: () => number = () => performance.now(),
): Progress {
  let next = now() + PATIENCE
  let isShown = false
  return {
    update(read, found) {
      if (!stream.isTTY || now() < next) return
      next = now() + PACE
      isShown = true
      stream.write(`\r\u001B[2K[embed-skills] ${read} of ${found} skills read`)
    },
    end() {
      if (isShown) stream.write('\r\u001B[2K')
      isShown = false
    },
  }
}
