import type { Manifest } from './frontmatter/parse.ts'
import type { Fix } from './types.ts'

/** What fixes made of a file. */
export interface Fixed {
  readonly bytes: Uint8Array
  /** Those that were applied; the others would have changed more than quoting. */
  readonly applied: readonly Fix[]
}

/**
 * Applies fixes to a `SKILL.md`, one by one. One that would change the parsed value of frontmatter that can be read,
 * or leave frontmatter that cannot be read as it is, is not applied.
 */
export async function applyFixes(bytes: Uint8Array, fixes: readonly Fix[]): Promise<Fixed> {
  const { readManifest } = await import('./frontmatter/parse.ts')
  let current = bytes
  const applied: Fix[] = []
  // From the end, so that places before a change stay what they are.
  const order = fixes.toSorted((a, b) => b.line - a.line || b.column - a.column)
  for (const fix of order) {
    const next = applyOne(current, fix)
    if (next === undefined || !isHarmless(readManifest(current), readManifest(next))) continue
    current = next
    applied.push(fix)
  }
  return { bytes: current, applied: applied.reverse() }
}

function applyOne(bytes: Uint8Array, { line, column, from, to }: Fix): Uint8Array | undefined {
  const lines = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).split('\n')
  const text = lines[line - 1]
  if (text === undefined || text.slice(column - 1, column - 1 + from.length) !== from) return undefined
  lines[line - 1] = text.slice(0, column - 1) + to + text.slice(column - 1 + from.length)
  return new TextEncoder().encode(lines.join('\n'))
}

function isHarmless(old: Manifest, changed: Manifest): boolean {
  if (old.frontmatter === undefined) return changed.syntax.length < Math.max(1, old.syntax.length)
  return JSON.stringify(old.frontmatter) === JSON.stringify(changed.frontmatter)
}
