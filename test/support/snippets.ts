import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { CompiledSkill } from '@embed-skills/compiler'
import { emitModules } from '@embed-skills/compiler'
import { rolldown } from 'rolldown'

/**
 * A code block of the docs: "```ts server path=/mcp legacy" is of the kind `server`, with
 * `{ path: '/mcp', legacy: '' }` for its options.
 */
export interface Snippet {
  readonly title: string
  readonly kind: string
  readonly options: Readonly<Record<string, string>>
  readonly code: string
}

const docs = path.join(import.meta.dirname, '../../docs')

/** Every TypeScript snippet of a folder of the docs, in order. */
export async function snippetsOf(folder: string): Promise<Snippet[]> {
  const found: Snippet[] = []
  for (const file of (await readdir(path.join(docs, folder))).sort()) {
    const text = await readFile(path.join(docs, folder, file), 'utf8')
    let count = 0
    for (const [, info, code] of text.matchAll(/^```ts *(.*)\n([^]*?)^```$/gm)) {
      const [kind = '', ...words] = info!.split(' ')
      const options = Object.fromEntries(words.map((word) => [...word.split('='), ''].slice(0, 2)))
      found.push({ title: `${file} #${++count} (${kind})`, kind, options, code: code! })
    }
  }
  return found
}

/** Where modules can be written so that they find the dependencies of the tests. */
const cache = path.join(import.meta.dirname, '../node_modules/.cache/snippets')

/**
 * Bundles a snippet with compiled skills into one module, and gives its path.
 *
 * @param all Whether everything goes in, as for Workers, or only what is ours.
 */
export async function bundle(
  code: string,
  skills: readonly CompiledSkill[],
  all: boolean | 'worker' = false,
): Promise<string> {
  const name = createHash('sha256')
    .update(code + all)
    .digest('hex')
    .slice(0, 16)
  const entry = path.join(cache, `${name}.ts`)
  const modules = emitModules(skills, { content: 'inline' })
  await mkdir(cache, { recursive: true })
  const build = await rolldown({
    input: entry,
    platform: all === 'worker' ? 'browser' : 'node',
    external: (id) =>
      /^(node|cloudflare):/.test(id) || (!all && !/^[./]|^virtual:|^@embed-skills\//.test(id)),
    resolve: {
      conditionNames:
        all === 'worker'
          ? ['workerd', 'worker', 'browser', 'import', 'default']
          : ['node', 'import', 'default'],
    },
    logLevel: 'silent',
    plugins: [
      {
        name: 'snippet',
        resolveId: (id) => (id === entry || id.startsWith('virtual:') ? id : undefined),
        load: (id) =>
          id === entry
            ? { code, moduleType: 'ts' }
            : id.startsWith('virtual:')
              ? modules.get(id)?.()
              : undefined,
      },
    ],
  })
  const dir = path.join(cache, name)
  await build.write({ dir, format: 'esm', entryFileNames: 'main.mjs', chunkFileNames: '[name]-[hash].mjs' })
  await build.close()
  return path.join(dir, 'main.mjs')
}
