/** Holds the README to the sizes that it names. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

const readme = await readFile(path.join(import.meta.dirname, '../../README.md'), 'utf8')
const rows = [...readme.matchAll(/^\| `(\w+)` of `([^`]+)` +\| ([\d.]+) KiB +\|$/gm)]

test('the README names the size of both servers', () => {
  expect(rows.map(([, name]) => name)).toEqual(['attachSkills', 'serveSkills'])
})

test.each(rows.map(([, name, module, size]) => [name!, module!, Number(size)] as const))(
  '%s of %s is at most %d KiB',
  async (name, module, size) => {
    const bundle = await rolldown({
      input: 'entry',
      plugins: [
        {
          name: 'entry',
          resolveId: (id) => (id === 'entry' ? path.join(import.meta.dirname, 'entry.js') : undefined),
          load: (id) => (id.endsWith('entry.js') ? `export { ${name} } from '${module}'` : undefined),
        },
      ],
    })
    const { output } = await bundle.generate({ minify: true, format: 'esm' })
    expect(output).toHaveLength(1)
    expect(output[0].imports).toEqual([])
    expect(gzipSync(output[0].code, { level: 9 }).length).toBeLessThanOrEqual(size * 1024)
  },
)
