import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { describe, expect, test } from 'vitest'
import { runNode } from '../support/run.ts'
import { RUNTIMES } from '../support/runtimes.ts'
import type { Packed } from '../support/packed.ts'
import { installPacked } from '../support/packed.ts'
import { temporaryFolder } from '../support/tree.ts'

const { root, packed } = installPacked()

/** Entries that are declarations alone, for a `types` field or a `reference`. */
const TYPES_ONLY = ['./client']

function entries({
  manifest,
}: Packed): [name: string, file: string | undefined, types: string | undefined][] {
  return Object.entries(manifest.exports ?? {}).flatMap(([name, target]) =>
    typeof target === 'string' ? [] : [[name, target.default, target.types]],
  )
}

test('every package is packed', () => {
  expect(packed.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      '@embed-skills/compiler',
      '@embed-skills/runtime',
      'embed-skills',
      'unplugin-embed-skills',
    ]),
  )
})

describe.each(packed)('$name', (one) => {
  const { name, manifest, tarball, folder } = one
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()

  test('says what a package of this repository says', () => {
    expect(manifest).toMatchObject({
      license: 'MIT',
      type: 'module',
      sideEffects: false,
      engines: { node: '^20.19.0 || >=22.12.0' },
    })
    expect(manifest.exports).toHaveProperty(['./package.json'])
    expect(JSON.stringify(manifest)).not.toContain('workspace:')
    expect(files).toContain('LICENSE')
  })

  test('holds what was built, and no sources, tests or maps', () => {
    expect(files.filter((file) => /(^|\/)src\/|\.test\.|\.map$|tsconfig/.test(file))).toEqual([])
    const named = [
      ...entries(one).flatMap(([, file, types]) => [file, types]),
      ...Object.values(manifest.bin ?? {}),
    ]
    const needed = named.flatMap((file) => file?.replace('./', '') ?? [])
    expect(files).toEqual(expect.arrayContaining(needed))
  })

  test('publint finds nothing', async () => {
    const { messages, pkg } = await publint({ pack: { tarball: arrayBuffer(tarball) }, strict: true })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
  })

  test('its types resolve for ES modules and bundlers', async () => {
    const result = await checkPackage(createPackageFromTarballData(tarball), {
      excludeEntrypoints: TYPES_ONLY,
    })
    // ESM only: `require` and the resolution of Node 10 are not for it.
    const problems = (result.types ? result.problems : []).filter(
      (problem) => !('resolutionKind' in problem && /node10|node16-cjs/.test(problem.resolutionKind)),
    )
    expect(problems).toEqual([])
    // What has no types is a command, and has nothing to import.
    expect(entries(one).length > 0).toBe(result.types !== false)
  })

  test('its exports and public types are frozen', async () => {
    const frozen: string[] = []
    for (const [entry, file, types] of entries(one)) {
      const names = file
        ? Object.keys((await import(pathToFileURL(path.join(folder, file)).href)) as object)
        : []
      const values = names.length ? names.sort().map((name) => `- \`${name}\`\n`) : ['types only\n']
      frozen.push(`## \`${path.posix.join(name, entry)}\`\n\n${values.join('')}`)
      if (types) frozen.push(fenced(types, readFileSync(path.join(folder, types), 'utf8')))
    }
    // What several entries share.
    const own = new Set(entries(one).map(([, , types]) => types?.replace('./', '')))
    for (const file of files)
      if (file.endsWith('.d.ts') && !own.has(file))
        frozen.push(fenced(file, readFileSync(path.join(folder, file), 'utf8')))
    for (const command of Object.keys(manifest.bin ?? {})) frozen.push(`command \`${command}\`\n`)
    const snapshot = `__snapshots__/${name.replace(/\W+/g, '-').replace(/^-/, '')}.md`
    await expect(frozen.join('\n')).toMatchFileSnapshot(snapshot)
  })
})

test('X3: the runtime depends on nothing, imports nothing but itself, and is ASCII', () => {
  const { manifest, folder } = packed.find(({ name }) => name === '@embed-skills/runtime')!
  expect(manifest.dependencies).toBeUndefined()
  expect(manifest.peerDependencies).toBeUndefined()
  const files = readdirSync(path.join(folder, 'dist')).filter((file) => file.endsWith('.js'))
  expect(files.length).toBeGreaterThanOrEqual(3)
  for (const file of files) {
    const code = readFileSync(path.join(folder, 'dist', file), 'utf8')
    // Without comments: an `@example` names what its reader imports.
    const own = code.replaceAll(/\/\*[\s\S]*?\*\//g, '')
    const imports = [...own.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g)].map(([, id]) => id!)
    expect(imports.filter((id) => !id.startsWith('./'))).toEqual([])
    expect(own).not.toMatch(/\bprocess\b|\bBuffer\b|\brequire\(|\bnode:/)
    // eslint-disable-next-line no-control-regex
    expect(code).toMatch(/^[\x00-\x7f]*$/)
  }
})

test('the packed packages compile, emit, bundle and serve on Node 20', async () => {
  const [node] = RUNTIMES.node20
  const script = path.join(root, 'smoke.mjs')
  copyFileSync(path.join(import.meta.dirname, 'smoke.mjs'), script)
  const { code, stdout, stderr } = await runNode([script, temporaryFolder()], { node, cwd: root })
  expect(stderr).toBe('')
  expect(stdout).toContain('v20.19.5: 2 skills, 4 files verified')
  expect(code).toBe(0)
})

function fenced(file: string, declarations: string): string {
  const code = declarations
    .replaceAll(/^ *\/\*\*.*?\*\/\n/gms, '')
    // Shared chunks have a hash in their names.
    .replaceAll(/(\w+)-[\w-]{8}(?=\.(?:d\.ts|js)")/g, '$1-<hash>')
  return `\`${file.replace(/-[\w-]{8}(?=\.d\.ts)/, '-<hash>')}\`\n\n\`\`\`ts\n${code.trim()}\n\`\`\`\n`
}

function arrayBuffer(buffer: Buffer): ArrayBuffer {
  return Uint8Array.from(buffer).buffer
}
