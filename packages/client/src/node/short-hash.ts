import { createHash } from 'node:crypto'

/** Tells texts apart in names, where they themselves may be long or secret. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
