/** Two strings that share less than this at both of their ends have nothing to do with each other. */
const ENDS = 8
/** As much of a long string as is looked at for words. */
const HEAD = 4096
/** Less than this is chance. */
const ALIKE = 0.5
const WORDS = 3
/** Candidates that are looked at closely, and strings that may share a trait for it to tell anything. */
const CLOSEST = 8
const COMMON = 100

/**
 * Finds what strings have become that something rewrote: what is left of them says so, their ends or their words.
 *
 * @param written Those among which it may be.
 * @returns For a string, the one that is most like it, if any is. No other string is more like that one.
 */
export function matchLikeness(
  compiled: readonly string[],
  written: readonly string[],
): ReadonlyMap<string, string> {
  const candidates = createCandidates(written)
  const taken = new Map<string, { compiled: string; likeness: number }>()
  for (const value of compiled) {
    const [best] = candidates(value)
      .map((text) => ({ text, likeness: likenessOf(value, text) }))
      .toSorted((a, b) => b.likeness - a.likeness)
    if (!best || best.likeness < ALIKE) continue
    if (best.likeness > (taken.get(best.text)?.likeness ?? 0))
      taken.set(best.text, { compiled: value, likeness: best.likeness })
  }
  return new Map([...taken].map(([text, { compiled }]) => [compiled, text]))
}

/** The strings that have most traits in common with one. */
function createCandidates(strings: readonly string[]): (value: string) => readonly string[] {
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
      for (const index of (byTrait.get(trait) ?? []).slice(0, COMMON))
        hits.set(index, (hits.get(index) ?? 0) + 1)
    return [...hits]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, CLOSEST)
      .map(([index]) => strings[index]!)
  }
}

/** From 0 to 1: how much of the longer one the two have in common, at their ends or in words. */
function likenessOf(a: string, b: string): number {
  const start = sharedStart(a, b)
  const ends = start + sharedEnd(a, b, start)
  const [words, others] = [wordsOf(a), wordsOf(b)]
  const shared = [...words].filter((word) => others.has(word)).length
  return Math.max(
    ends < ENDS ? 0 : ends / Math.max(a.length, b.length),
    shared < WORDS ? 0 : (2 * shared) / (words.size + others.size),
  )
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
