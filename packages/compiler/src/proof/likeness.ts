/** Two strings that share less than this at both of their ends have nothing to do with each other. */
const ENDS = 8
/** As much of a long string as is looked at for words. */
const HEAD = 4096
/** Candidates that are looked at closely. */
const CLOSEST = 8

/**
 * Finds the string that another was before something rewrote it: what is left of it says so, its ends or its words.
 *
 * @param strings Those among which it may be.
 * @returns The one that is most like a string, if any is.
 */
export function createLikeness(strings: readonly string[]): (value: string) => string | undefined {
  const byTrait = new Map<string, number[]>()
  for (const [index, text] of strings.entries())
    for (const trait of traitsOf(text)) {
      const having = byTrait.get(trait)
      if (having) having.push(index)
      else byTrait.set(trait, [index])
    }
  return (value) => {
    const hits = new Map<number, number>()
    for (const trait of traitsOf(value))
      // What many have in common tells nothing.
      for (const index of (byTrait.get(trait) ?? []).slice(0, 100))
        hits.set(index, (hits.get(index) ?? 0) + 1)
    return [...hits]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, CLOSEST)
      .map(([index]) => strings[index]!)
      .find((text) => isAlike(value, text))
  }
}

function isAlike(a: string, b: string): boolean {
  const start = sharedStart(a, b)
  if (start + sharedEnd(a, b, start) >= Math.max(ENDS, Math.max(a.length, b.length) / 2)) return true
  const [words, others] = [wordsOf(a), wordsOf(b)]
  const shared = [...words].filter((word) => others.has(word)).length
  return shared >= 3 && 2 * shared >= (words.size + others.size) / 2
}

function traitsOf(text: string): readonly string[] {
  if (text.length < ENDS) return []
  return [`^${text.slice(0, ENDS)}`, `$${text.slice(-ENDS)}`, ...wordsOf(text)]
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.slice(0, HEAD).match(/[\p{L}\p{N}_]{3,}/gu))
}

/** How many UTF-16 units two strings begin with alike. */
export function sharedStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

/** How many they end with alike, without the first `start` of each. */
export function sharedEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start
  let length = 0
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length++
  return length
}
