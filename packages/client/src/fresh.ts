/** When something is fetched again: when its time is over, or when it has been said to have changed. */

export class Fresh {
  readonly #fetch: () => Promise<number>
  readonly #now: () => number
  #expires = -Infinity
  #changed = false
  #pending: Promise<void> | undefined
  #next: Promise<void> | undefined

  /** @param fetch Gives how long what it fetched lasts, in milliseconds. It must not throw. */
  constructor(fetch: () => Promise<number>, now: () => number) {
    this.#fetch = fetch
    this.#now = now
  }

  /** What has been fetched, or is being fetched, is old. Gives whether that is news. */
  expire(): boolean {
    const news = !this.#changed
    this.#changed = true
    return news
  }

  /** Fetches what is old: once for all who want it, and once more for what changed in the middle of it. */
  refresh(): Promise<void> | undefined {
    if (!this.#pending) return this.#isFresh() ? undefined : this.#start()
    if (!this.#changed) return this.#pending
    this.#next ??= this.#pending.then(() => {
      this.#next = undefined
      return this.refresh()
    })
    return this.#next
  }

  #isFresh(): boolean {
    return !this.#changed && this.#now() < this.#expires
  }

  #start(): Promise<void> {
    this.#changed = false
    this.#pending = this.#fetch().then((lasts) => {
      this.#expires = this.#now() + lasts
      this.#pending = undefined
    })
    return this.#pending
  }
}

/** What a promise gives, unless the caller gives up on it first: then it goes on for the others. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason as Error)
    if (signal.aborted) return giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}
