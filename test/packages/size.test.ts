import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

/* Min + gzip, in bytes, of a bundle that uses nothing else of the runtime. */
const runtime = path.join(import.meta.dirname, '../../packages/runtime/dist')

async function sizeOf(name: string, file: string): Promise<{ minified: number; gzipped: number }> {
  const entry = 'virtual:entry'
  const bundle = await rolldown({
    input: entry,
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? `\0${entry}` : undefined),
        load: (id) =>
          id === `\0${entry}`
            ? `export { ${name} } from ${JSON.stringify(path.join(runtime, file))}`
            : undefined,
      },
    ],
  })
  const { output } = await bundle.generate({ minify: true, format: 'esm' })
  await bundle.close()
  expect(output).toHaveLength(1)
  return { minified: output[0].code.length, gzipped: gzipSync(output[0].code, { level: 9 }).length }
}

test.each([
  ['attachSkills', 'mcp.js', 2560],
  ['serveSkills', 'fetch.js', 3072],
  ['createCatalog', 'index.js', 2048],
] as const)('%s is small', async (name, file, limit) => {
  const { minified, gzipped } = await sizeOf(name, file)
  console.log(`${name}: ${minified} bytes minified, ${gzipped} gzipped (at most ${limit})`)
  expect(gzipped).toBeLessThanOrEqual(limit)
  expect(gzipped).toBeGreaterThan(500)
})
