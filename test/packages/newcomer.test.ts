/**
 * Follows the README as somebody does who has an empty folder, Node and npm: the packages come from their
 * tarballs, everything else from the registry.
 */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Project } from '../docs/project.ts'
import { snippetsOf, stepsOf } from '../docs/snippets.ts'
import { packTarballs } from '../support/tarballs.ts'

const repository = path.join(import.meta.dirname, '../..')
const packed = await packTarballs()
const steps = stepsOf(snippetsOf(await readFile(path.join(repository, 'README.md'), 'utf8'), 'README.md'))

/** The Node of this machine, which the repository's own stands before. */
const machine =
  (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .find((folder) => !folder.includes('node_modules') && existsSync(path.join(folder, 'node'))) ??
  path.dirname(process.execPath)

const project = await Project.create({ bin: machine, prepare: fromTarballs })
afterAll(() => project.remove())

test('every step of the README works in an empty folder', { timeout: 300_000 }, async () => {
  expect(await project.follow(steps)).toBe(`${steps.length} steps done`)
})

test("what was installed then works with the repository's Node as well", { timeout: 120_000 }, async () => {
  const again = new Project(project.folder, { bin: path.dirname(process.execPath) })
  const installs = steps.filter(({ snippet }) => /^npm (install|init)\b/m.test(snippet.text))
  expect(installs.length).toBeGreaterThan(0)
  const others = steps.filter((step) => !installs.includes(step))
  expect(await again.follow(others)).toBe(`${others.length} steps done`)
})

/** The same installation, from tarballs and in the versions that the tests were written against. */
async function fromTarballs(command: string): Promise<string> {
  if (!/^npm install/m.test(command)) return command
  // What the packages need of each other comes from tarballs too. `npm init` keeps what it finds.
  const manifest = path.join(project.folder, 'package.json')
  const written = existsSync(manifest) ? (JSON.parse(await readFile(manifest, 'utf8')) as object) : {}
  const named = steps.map(({ snippet }) => snippet.text).filter((text) => /^npm install/m.test(text))
  const overrides = Object.fromEntries(
    [...packed]
      .filter(([name]) => !named.some((text) => text.split(/\s+/).includes(name)))
      .map(([name, { tarball }]) => [name, `file:${tarball}`]),
  )
  await writeFile(manifest, JSON.stringify({ ...written, overrides }, null, 2))
  const pinned = await versions()
  return command.replaceAll(/^npm install.*$/gm, (line) =>
    line
      .split(' ')
      .map((word, index) => (index < 2 || word.startsWith('-') ? word : located(word, pinned)))
      .join(' '),
  )
}

function located(name: string, pinned: Record<string, string>): string {
  const version = pinned[name]
  const tarball = packed.get(name)?.tarball
  if (!tarball && !version) throw new Error(`The README installs ${name}, which is in no package.json here`)
  return tarball ?? `${name}@${version}`
}

async function versions(): Promise<Record<string, string>> {
  const read = async (file: string): Promise<Record<string, string>> =>
    (JSON.parse(await readFile(path.join(repository, file), 'utf8')) as { devDependencies: object })
      .devDependencies as Record<string, string>
  return { ...(await read('package.json')), ...(await read('test/package.json')) }
}
