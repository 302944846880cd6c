import fs from 'node:fs'
import path from 'node:path'
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { cli } from '../support/cli.ts'
import type { Ran } from '../support/cli.ts'

/*
 * Runs the snippets of a page, in their order and in one folder. A comment above a block says what it is: a file to be
 * written, a program to be run, or the output of the last command. Blocks of `sh` are commands.
 */
const docs = path.resolve(import.meta.dirname, '../../docs')
// Below the tests, so that imports of the packages find them.
const scratch = path.join(import.meta.dirname, '../node_modules/.cache/docs')

interface Block {
  readonly kind: string
  readonly about: string
  readonly language: string
  readonly text: string
}

function blocksOf(page: string): Block[] {
  const text = fs.readFileSync(path.join(docs, page), 'utf8')
  return [...text.matchAll(/(?:<!-- ([a-z ]+)(?:: (.*?))? -->\n\n?)?^(`{3,})(\w+)\n([^]*?)^\3$/gm)].map(
    ([, kind = '', about = '', , language = '', text = '']) => ({ kind, about, language, text }),
  )
}

async function runBlock(block: Block, root: string, last: Ran | undefined): Promise<Ran | undefined> {
  const { kind, about, language, text } = block
  if (kind === 'not run') return last
  if (kind === 'file') {
    fs.mkdirSync(path.dirname(path.join(root, about)), { recursive: true })
    fs.writeFileSync(path.join(root, about), text)
  } else if (kind === 'run') {
    fs.writeFileSync(path.join(root, about), text)
    const { status, stderr } = spawnSync(process.execPath, [about], { cwd: root, encoding: 'utf8' })
    expect({ about, status, stderr }).toEqual({ about, status: 0, stderr: '' })
  } else if (kind === 'output' || kind === 'stderr') {
    expect((kind === 'output' ? last!.stdout : last!.stderr).trimEnd()).toBe(text.trimEnd())
  } else {
    expect(language).toBe('sh')
    let ran = last
    for (const line of text.trim().split('\n')) {
      const args = line
        .replace('npx embed-skills ', '')
        .split(' ')
        .map((word) => word.replaceAll("'", ''))
      ran = await cli(root, args)
      expect({ line, code: ran.code, ...(ran.code === 2 && { stderr: ran.stderr }) }).toEqual({
        line,
        code: Number(about || 0),
      })
    }
    return ran
  }
  return last
}

test.each(['check.md', 'config.md', 'lock.md', 'portability.md', 'serve.md'])('%s', async (page) => {
  const root = path.join(scratch, page)
  fs.rmSync(root, { recursive: true, force: true })
  fs.mkdirSync(path.join(root, 'skills/support'), { recursive: true })
  if (page === 'serve.md') {
    fs.writeFileSync(path.join(root, 'skills/support/SKILL.md'), '---\nname: support\ndescription: d\n---\n')
  } else fs.rmSync(path.join(root, 'skills'), { recursive: true })
  let last: Ran | undefined
  const blocks = blocksOf(page)
  for (const block of blocks) last = await runBlock(block, root, last)
  expect(blocks.length).toBeGreaterThan(2)
  fs.rmSync(root, { recursive: true, force: true })
})
