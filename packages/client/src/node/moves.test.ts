import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Change } from './moves.ts'
import { changeAll } from './moves.ts'

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`

/** A folder that holds `old/deep/gone.md`, `kept.md` and `replaced.md`, each with its own name in it. */
async function folders(): Promise<{ root: string; spare: string; from: (name: string) => Promise<string> }> {
  const spare = await mkdtemp(path.join(tmpdir(), 'embed-skills-'))
  const root = path.join(spare, 'root')
  await mkdir(path.join(root, 'old/deep'), { recursive: true })
  for (const file of FILES) await writeFile(path.join(root, file), file)
  const from = async (name: string): Promise<string> => {
    await writeFile(path.join(spare, name), `new ${name}`)
    return path.join(spare, name)
  }
  return { root, spare, from }
}

const FILES = ['kept.md', 'old/deep/gone.md', 'replaced.md']
const remove: Change['remove'] = [{ file: FILES[1]!, digest: digestOf(FILES[1]!) }]

async function textsBelow(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  const texts = await Promise.all(
    files.toSorted().map(async (file) => [path.relative(root, file), await readFile(file, 'utf8')]),
  )
  return Object.fromEntries(texts) as Record<string, string>
}

test('S4: what goes makes room for what comes, and its folders go with it', async () => {
  const { root, spare, from } = await folders()
  const put = [
    { from: await from('a'), to: 'old' },
    { from: await from('b'), to: 'replaced.md' },
  ]
  await changeAll(root, { remove, put }, spare, async () => {})
  expect(await textsBelow(root)).toEqual({ 'kept.md': 'kept.md', old: 'new a', 'replaced.md': 'new b' })
})

test('S4: a folder of nothing but folders is no obstacle', async () => {
  const { root, spare, from } = await folders()
  await mkdir(path.join(root, 'x/b/c'), { recursive: true })
  await mkdir(path.join(root, 'x/a'))
  await changeAll(root, { remove: [], put: [{ from: await from('a'), to: 'x' }] }, spare, async () => {})
  expect(await textsBelow(root)).toMatchObject({ x: 'new a' })
})

test.each<[string, (root: string) => Promise<unknown>, string]>([
  [
    'a file in a folder',
    (root) => mkdir(path.join(root, 'last')).then(() => writeFile(path.join(root, 'last/x'), '')),
    'meanwhile',
  ],
  ['a link', (root) => symlink('/', path.join(root, 'last')), 'meanwhile'],
  ['nothing, and the end fails', async () => {}, 'of the end'],
])('S4: with %s in the way all is put back', async (_, block, message) => {
  const { root, spare, from } = await folders()
  await block(root)
  const before = await textsBelow(root)
  const put = [
    { from: await from('a'), to: 'old' },
    { from: await from('b'), to: 'replaced.md' },
    { from: await from('c'), to: 'new/c.md' },
    { from: await from('d'), to: 'last' },
  ]
  const failing = changeAll(root, { remove, put }, spare, () => Promise.reject(new Error('of the end')))
  await expect(failing).rejects.toThrow(message)
  expect(await textsBelow(root)).toEqual(before)
  expect(await readdir(root)).not.toContain('new')
})

test('S4: what is not any more what it was does not go', async () => {
  const { root, spare } = await folders()
  await writeFile(path.join(root, FILES[1]!), 'mine')
  await expect(changeAll(root, { remove, put: [] }, spare, async () => {})).rejects.toThrow('meanwhile')
  expect(await textsBelow(root)).toMatchObject({ 'old/deep/gone.md': 'mine' })
})
