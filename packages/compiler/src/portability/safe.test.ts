import { spawnSync } from 'node:child_process'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readManifest } from '../frontmatter/parse.ts'
import type { Manifest } from '../frontmatter/parse.ts'
import { document, RUNS, SEED } from '../testing/documents.ts'
import { goYaml, pyYaml } from './lexical.ts'
import { readers } from './readers.ts'
import { isSafe } from './safe.ts'

/*
 * The grammar of safe frontmatter is proved by trying to break it: whatever documents are made here, of those that
 * the grammar lets through, all readers must give the same JSON.
 */

interface Safe {
  readonly bytes: Uint8Array
  readonly manifest: Manifest
}

/** A document as the frontmatter of a skill, if the grammar lets it through. */
function safe(fields: string): Safe | undefined {
  const bytes = new TextEncoder().encode(`---\nname: x\ndescription: d\n${fields}---\nBody\n`)
  const manifest = readManifest(bytes)
  return isSafe(manifest) ? { bytes, manifest } : undefined
}

const seed = SEED

test('X4: all readers see a safe document alike', { timeout: 600_000 }, async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(document, async (fields) => {
      const found = safe(fields)
      if (found === undefined) return
      count++
      const { bytes, manifest } = found
      for (const reader of readers) {
        const reading = await reader.read({ path: 'x', yaml: manifest.yaml!, bytes })
        // Rules of the fields are not a matter of the reader.
        if ('refusal' in reading! && /frontmatter (?:metadata|compatibility)/.test(reading.refusal)) continue
        expect({ reader: reader.name, ...reading }).toEqual({
          reader: reader.name,
          value: manifest.frontmatter,
        })
      }
      for (const { style, source, value } of manifest.scalars) {
        if (style !== 'plain' || source.includes('\n')) continue
        expect([pyYaml(source), goYaml(source)]).toEqual([{ value }, { value }])
      }
    }),
    { numRuns: RUNS, seed },
  )
  // A grammar that lets nothing through would prove nothing.
  expect(count).toBeGreaterThan(RUNS / 10)
})

const python = spawnSync('python3', ['-c', 'import yaml'], { timeout: 20_000 }).status === 0

test.skipIf(!python)('PyYAML itself does too, where there is one', { timeout: 600_000 }, () => {
  const found = fc
    .sample(document, { numRuns: RUNS, seed: seed + 1 })
    .flatMap((fields) => safe(fields)?.manifest ?? [])
  const script = `import json, sys, yaml
def read(text):
    try: return json.dumps({"value": yaml.safe_load(text)}, default=str)
    except Exception as error: return json.dumps({"refusal": str(error)})
print(json.dumps([read(text) for text in json.load(sys.stdin)]))`
  const input = JSON.stringify(found.map(({ yaml }) => yaml))
  const { stdout } = spawnSync('python3', ['-c', script], { input, encoding: 'utf8', maxBuffer: 1e9 })
  const readings = (JSON.parse(stdout) as string[]).map((reading) => JSON.parse(reading) as unknown)
  for (const [index, reading] of readings.entries()) {
    const { yaml, frontmatter } = found[index]!
    expect({ yaml, reading }).toEqual({ yaml, reading: { value: frontmatter } })
  }
})

test.skipIf(!python)(
  'the rules of PyYAML that are written down here are its own',
  { timeout: 60_000 },
  () => {
    const scalars = fc
      .sample(
        fc.oneof(
          fc.stringMatching(/^[-+]?[\d_.:eExob]{1,9}$/),
          fc.stringMatching(/^[12]\d{3}-\d{1,2}-\d{1,2}(?:[Tt ]\d{1,2}:\d\d:\d\d(?:\.\d)?Z?)?$/),
          fc.constantFrom(
            'yes',
            'Yes',
            'y',
            'On',
            'off',
            'OFF',
            'true',
            'TRUE',
            'tRue',
            '~',
            'Null',
            '.inf',
            '-.INF',
            '.nan',
          ),
        ),
        { numRuns: RUNS, seed },
      )
      .filter((source) => !source.endsWith(':') && !/^[-.]?$/.test(source) && source.trim() === source)
    const script = `import json, sys, yaml, datetime, math
def kind(text):
    try: value = yaml.safe_load("a: " + text)["a"]
    except Exception: return "error"
    if isinstance(value, (datetime.date, datetime.datetime)): return "a date"
    if isinstance(value, float) and not math.isfinite(value): return "a number that is not finite"
    return {"value": value}
print(json.dumps([kind(text) for text in json.load(sys.stdin)]))`
    const { stdout } = spawnSync('python3', ['-c', script], {
      input: JSON.stringify(scalars),
      encoding: 'utf8',
    })
    for (const [index, theirs] of (JSON.parse(stdout) as unknown[]).entries()) {
      const ours = pyYaml(scalars[index]!)
      if (theirs === 'error') continue
      // JSON knows one zero alone.
      const said = JSON.stringify('as' in ours ? ours.as : ours)
      expect([scalars[index], said]).toEqual([scalars[index], JSON.stringify(theirs)])
    }
  },
)

describe('what lies outside of the grammar', () => {
  test.each([
    ['a date', 'a: 2025-10-20\n'],
    ['a word of YAML 1.1', 'a: yes\n'],
    ['the same as a key', 'on: a\n'],
    ['an octal number', 'a: 0755\n'],
    ['a time', 'a: 12:30:45\n'],
    ['an exponent', 'a: 1e3\n'],
    ['a tab', 'a: b\tc\n'],
    ['a line separator', 'a: b\u2028c\n'],
    ['a surrogate escape', 'a: "\\ud83d\\udcb0"\n'],
    ['a value over several lines in quotes', 'a: "b\n  c"\n'],
  ])('%s', (_, fields) => {
    expect(safe(fields)).toBeUndefined()
  })
})
