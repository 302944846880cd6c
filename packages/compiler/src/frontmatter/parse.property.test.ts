import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyFixes } from '../fix.ts'
import { officialSdk } from '../portability/readers.ts'
import { document, RUNS, SEED } from '../testing/documents.ts'
import { compileOne } from '../testing/tree.ts'
import { readManifest } from './parse.ts'

const skillMd = (fields: string): Uint8Array =>
  new TextEncoder().encode(`---\nname: a\ndescription: d\n${fields}---\nBody\n`)

test(
  'what is accepted here is accepted by the official SDK, with the same values',
  { timeout: 600_000 },
  async () => {
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(document, async (fields) => {
        const bytes = skillMd(fields)
        const { frontmatter, subset, yaml = '' } = readManifest(bytes)
        if (frontmatter === undefined || subset.length > 0) return
        accepted++
        const reading = await officialSdk.read({ path: 'a', yaml, bytes })
        // Rules of the fields are not a matter of the reader.
        if (
          'refusal' in reading! &&
          /frontmatter (?:metadata|compatibility|name|description)/.test(reading.refusal)
        )
          return
        expect(reading).toEqual({ value: frontmatter })
      }),
      { numRuns: RUNS, seed: SEED },
    )
    expect(accepted).toBeGreaterThan(RUNS / 10)
  },
)

test('fixes change no value, and what they change is quoting alone', { timeout: 600_000 }, async () => {
  let fixed = 0
  await fc.assert(
    fc.asyncProperty(document, async (fields) => {
      const before = skillMd(fields)
      const { diagnostics } = await compileOne(before)
      const fixes = diagnostics.flatMap(({ fix }) => fix ?? [])
      const { bytes, applied } = await applyFixes(before, fixes)
      fixed += applied.length
      const [old, now] = [readManifest(before), readManifest(bytes)]
      expect(now.frontmatter).toEqual(old.frontmatter ?? now.frontmatter)
      const bare = (text: Uint8Array): string => new TextDecoder().decode(text).replaceAll(/["'\\]/g, '')
      expect(bare(bytes)).toBe(bare(before))
    }),
    { numRuns: RUNS / 10, seed: SEED },
  )
  expect(fixed).toBeGreaterThan(RUNS / 500)
})
