import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

const entry = path.join(import.meta.dirname, 'size.js')

/** Bytes of a bundle of these exports, minified and gzipped. */
async function sizeOf(code: string): Promise<number> {
  const build = await rolldown({
    input: entry,
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? code : undefined),
      },
    ],
  })
  const { output } = await build.generate({ minify: true, format: 'esm' })
  await build.close()
  return gzipSync(output[0].code, { level: 9 }).length
}

const page = await readFile(path.join(import.meta.dirname, '../../docs/servers/README.md'), 'utf8')
const rows = [...page.matchAll(/^\| `([\w, ]+)` of `([^`]+)` +\| ([\d,]+) +\|$/gm)].map(
  ([, names, from, limit]) => [names!, from!, Number(limit!.replace(',', ''))] as const,
)

test('the docs say what each way in costs', () => {
  expect(rows).toHaveLength(10)
})

test.each(rows)('%s of %s is at most %d bytes', async (names, from, limit) => {
  const size = await sizeOf(`export { ${names} } from '${from}'`)
  console.log(`${names} of ${from}: ${size} of ${limit} bytes`)
  expect(size).toBeLessThanOrEqual(limit)
  expect(size).toBeGreaterThan(500)
})
