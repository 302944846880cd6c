/** The length of a text as the official client counts it. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
