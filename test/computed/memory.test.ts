import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { kinds } from './support.ts'

const walk = path.join(import.meta.dirname, 'walk.ts')
const ways = kinds.flatMap((kind) =>
  (['after', 'offset', 'cursor'] as const).map((paging) => [kind, paging] as const),
)

test.each([
  ...ways.map(([kind, paging]) => [kind, paging, 'entries'] as const),
  ['serveSkills', 'after', 'defined skills'] as const,
])('A1, N14: ten thousand provider skills page through in constant memory (%s, %s, %s)', async (...given) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', walk, ...given])
  const { seen, pages, mostAlive, grown } = JSON.parse(stdout)
  expect([seen, pages]).toEqual([10_000, 20])
  // Of all that were made none is left when the next page is asked for, or a few of the last one.
  expect(mostAlive).toBeLessThan(502)
  // Had 7,500 of them been kept, by whomever and in whatever form, it would be 15 MiB.
  expect(grown).toBeLessThan(3)
})
