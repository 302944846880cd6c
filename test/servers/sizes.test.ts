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

// What each way in costs, all of the catalog in it, in bytes.
test.each([
  ['serveSkills, bare', `export { serveSkills } from '@embed-skills/runtime/fetch'`, 3072],
  ['serveSkills with every check', `export { guard, serveSkills } from '@embed-skills/runtime/fetch'`, 4608],
  ['attachSkills', `export { attachSkills } from '@embed-skills/runtime/mcp'`, 2560],
  ['tmcp', `export { attachSkills } from '@embed-skills/runtime/tmcp'`, 2560],
  ['mcp-lite', `export { skillsMiddleware } from '@embed-skills/runtime/mcp-lite'`, 2560],
  ['fastmcp', `export { attachSkills } from '@embed-skills/runtime/fastmcp'`, 2560],
  ['handle', `export { createCatalog, handle } from '@embed-skills/runtime'`, 2560],
  // They read, stream and put together whole HTTP answers, so they have limits of their own.
  ['withSkills', `export { withSkills } from '@embed-skills/runtime/fetch'`, 3968],
  ['express', `export { skillsMiddleware } from '@embed-skills/runtime/express'`, 4864],
  ['skillTools', `export { skillTools } from '@embed-skills/runtime/tools'`, 3840],
])('%s', async (name, code, limit) => {
  const size = await sizeOf(code)
  console.log(`${name}: ${size} of ${limit} bytes`)
  expect(size).toBeLessThanOrEqual(limit)
})
