import { setTimeout } from 'node:timers/promises'

/** Asks until the answer is true, and fails with the last answer, or what was thrown, when patience ends. */
export async function until(
  ask: () => Promise<unknown> | unknown,
  { patience = 100_000, pace = 50 }: { patience?: number; pace?: number } = {},
): Promise<void> {
  const end = performance.now() + patience
  for (;;) {
    let last: unknown
    try {
      last = await ask()
      if (last === true) return
    } catch (error) {
      last = error
    }
    if (performance.now() > end) throw new Error('It did not come about in time', { cause: last })
    await setTimeout(pace)
  }
}
