/** Where a project is does not matter, and does not show: below a link, below odd names, with a root of its own. */
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { skillMd, temporaryFolder, writeTree } from '../support/tree.ts'
import { BUILDERS } from './support/builders.ts'

const FILES = {
  'package.json': '{ "type": "module" }',
  'skills/refunds/SKILL.md': skillMd('refunds'),
  'app/src/entry.js': `
    import { embedSkills } from '@embed-skills/runtime/macro'
    import all from 'virtual:skills'
    import one from '../../skills/refunds/SKILL.md?skill'
    const sets = [all, one, embedSkills('../../skills/*'), embedSkills('/skills/*')]
    console.log(...sets.flatMap(({ skills }) => Object.keys(skills)))
  `,
}
const FOUND = 'skill://refunds/SKILL.md'
const CELL = { content: 'chunks', minify: false, macro: true } as const

describe.each(Object.entries(BUILDERS))('%s', (bundler, build) => {
  const entryOf = (root: string): string => path.join(root, 'app/src/entry.js')

  test('nothing of where a link leads is in the modules', async () => {
    const real = writeTree(FILES, temporaryFolder('where-it-is'))
    const root = path.join(temporaryFolder('links'), 'link')
    symlinkSync(real, root)
    const out = path.join(root, 'dist')
    const file = await build({ root, globs: ['skills/*'], entry: entryOf(root) }, { ...CELL, out })
    expect(await printed(file)).toBe([FOUND, FOUND, FOUND, FOUND].join(' '))
    for (const name of await readdir(out, { recursive: true })) {
      if (!/\.m?js$/.test(name)) continue
      const ids = (await readFile(path.join(out, name), 'utf8')).match(/virtual:[\w$/-]+/g) ?? []
      expect(ids.map(spelledOut).filter((id) => id.includes('..'))).toEqual([])
    }
  })

  // The others resolve no file in such a folder.
  test.runIf(/rollup|esbuild|bun/.test(bundler))('a folder has a ? in its name', async () => {
    const root = writeTree(FILES, temporaryFolder('what?/here'))
    const out = path.join(root, 'dist')
    const file = await build({ root, globs: ['skills/*'], entry: entryOf(root) }, { ...CELL, out })
    expect(await printed(file)).toBe([FOUND, FOUND, FOUND, FOUND].join(' '))
  })
})

/** What ids say in letters of their own. */
function spelledOut(id: string): string {
  const [, encoded] = /embed-skills\/([\w-]+)/.exec(id) ?? []
  const sources = encoded === undefined ? '' : Buffer.from(encoded, 'base64url').toString()
  return `${id} ${sources}`.replaceAll('$002e', '.')
}

async function printed(file: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [file])
  return stdout.trim()
}
