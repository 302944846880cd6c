import { vi } from 'vitest'
import { writeTree } from './tree.ts'

/**
 * Asks until nothing is thrown. It is patient, so that only what never comes fails, however busy the machine is.
 *
 * @param act What is to lead to it, done again every second: chokidar, which Vite watches with, drops what happens
 *   within 50 ms of the change before, or while it reads the folder.
 */
export function eventually(
  check: () => Promise<void> | void,
  act?: () => Promise<void> | void,
): Promise<void> {
  let asked = 0
  const ask = async (): Promise<void> => {
    if (asked++ % 20 === 0) await act?.()
    await check()
  }
  return vi.waitFor(ask, { timeout: 150_000, interval: 50 })
}

/** Saves a file, and again until it was seen. */
export function saved(
  root: string,
  file: string,
  text: string,
  check: () => Promise<void> | void,
): Promise<void> {
  return eventually(check, () => void writeTree({ [file]: text }, root))
}
