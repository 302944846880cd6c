import { nearest } from './nearest.ts'

/**
 * @param where What the message begins with: who has the option.
 * @throws {TypeError} for a key that nobody knows, with the one that is most like it.
 */
export function refuseUnknownKeys(options: object, known: readonly string[], where: string): void {
  for (const key of Object.keys(options)) {
    if (known.includes(key)) continue
    throw new TypeError(`${where}: there is no option \`${key}\`. Is \`${nearest(key, known)[0]}\` meant?`)
  }
}
