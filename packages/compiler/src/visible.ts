import { asciiJson } from './literal.ts'

/** What a skill says is quoted in messages: there it moves no cursor, and begins no line of its own. */
export function visible(text: string): string {
  return text.replaceAll(/\p{Cc}|[\u2028\u2029]/gu, (char) => asciiJson(char).slice(1, -1))
}
