/** Milliseconds: no day, month, year, hour or minute stays the same. */
const LATER = 1000 * 60 * (60 * 24 * 400 + 60 * 5 + 17) + 4321

/** A zone of an odd offset, and one for a process that is in it already. */
const ZONES = ['Pacific/Chatham', 'America/St_Johns'] as const

let turn: Promise<unknown> = Promise.resolve()

/**
 * Runs `job` under another clock, and in another time zone where the runtime lets it be set (Node, Bun
 * and Deno do, by `TZ`). One at a time: the clock is everybody's.
 */
export function elsewhere<T>(job: () => Promise<T>): Promise<T> {
  const result = turn.then(async () => {
    const restore = [moveClock(), moveFormats(), moveZone()]
    try {
      return await job()
    } finally {
      for (const undo of restore) undo()
    }
  })
  turn = result.catch(() => undefined)
  return result
}

function moveClock(): () => void {
  const RealDate = Date
  class LaterDate extends RealDate {
    constructor(...given: unknown[]) {
      if (given.length) super(...(given as [number]))
      else super(LaterDate.now())
    }
    static override now(): number {
      return RealDate.now() + LATER
    }
  }
  // `Date()` without `new` is a text.
  globalThis.Date = new Proxy(LaterDate, {
    apply: () => String(new LaterDate()),
  }) as unknown as DateConstructor
  return () => {
    globalThis.Date = RealDate
  }
}

/** Without a date, `Intl.DateTimeFormat` formats the engine's own idea of now. */
function moveFormats(): () => void {
  const { prototype } = Intl.DateTimeFormat
  const own = Object.getOwnPropertyDescriptors(prototype)
  Object.defineProperties(prototype, {
    format: {
      configurable: true,
      get(this: Intl.DateTimeFormat) {
        const format = own.format.get!.call(this) as Intl.DateTimeFormat['format']
        return (date: Date | number = Date.now()) => format(date)
      },
    },
    formatToParts: {
      configurable: true,
      writable: true,
      value(this: Intl.DateTimeFormat, date: Date | number = Date.now()) {
        return own.formatToParts.value!.call(this, date)
      },
    },
  })
  return () => Object.defineProperties(prototype, { format: own.format, formatToParts: own.formatToParts })
}

function moveZone(): () => void {
  const { env } = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process ?? {}
  if (!env) return () => {}
  const zone = env['TZ']
  env['TZ'] = ZONES[Intl.DateTimeFormat().resolvedOptions().timeZone === ZONES[0] ? 1 : 0]
  return () => {
    if (zone === undefined) delete env['TZ']
    else env['TZ'] = zone
  }
}
