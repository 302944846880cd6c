import { nearest } from './nearest.ts'

/**
 * @param where What the message begins with: who has the option.
 * @throws {TypeError} for a key that nobody knows, with the one that is most like it, and for a value of another type.
 */
export function refuseUnknownKeys(options: object, known: readonly string[], where: string): void {
  for (const [key, value] of Object.entries(options)) {
    if (!known.includes(key))
      throw new TypeError(`${where}: there is no option \`${key}\`. Is \`${nearest(key, known)[0]}\` meant?`)
    const [holds, what] = TYPES.get(key) ?? []
    // An option that is undefined says nothing.
    if (value !== undefined && holds?.(value) === false)
      throw new TypeError(`${where}: \`${key}\` is ${what}; got ${JSON.stringify(value)}`)
  }
}

type Type = readonly [holds: (value: unknown) => boolean, what: string]

const isText = (value: unknown): boolean => typeof value === 'string'
const isFlag = (value: unknown): boolean => typeof value === 'boolean'
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const isRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Those whose other values would be taken for something else, or for nothing. */
const TYPES: ReadonlyMap<string, Type> = new Map<string, Type>([
  ['base', [isText, 'the path of a folder']],
  ['prefix', [isText, "segments of a path, such as 'acme/billing'"]],
  [
    'rename',
    [(value) => isRecord(value) && Object.values(value as object).every(isText), 'an object of skill paths'],
  ],
  ['ignore', [isTexts, 'an array of globs']],
  ['include', [isTexts, 'an array of globs']],
  ['binary', [(value) => isFlag(value) || isTexts(value), 'true, false or an array of globs']],
  ['mainFile', [isText, 'the name of a file']],
  ['rules', [isRecord, "an object, such as { 'broken-link': 'error' }"]],
  ['strict', [isFlag, 'true or false']],
  ['templates', [(value) => value === false || isRecord(value), 'an object of engines, or false']],
  ['lock', [(value) => isFlag(value) || isText(value), 'true, false or the name of a file']],
])
