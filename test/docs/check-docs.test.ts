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

/** What a block came to, and what it should have come to. */
interface Outcome {
  readonly found: unknown
  readonly wanted: unknown
  /** The last command, for the blocks that show its output. */
  readonly ran?: Ran | undefined
}

async function runBlock(block: Block, root: string, ran: Ran | undefined): Promise<Outcome> {
  const { kind, about, language, text } = block
  switch (kind) {
    case 'not run':
      return { found: kind, wanted: kind, ran }
    case 'file': {
      fs.mkdirSync(path.dirname(path.join(root, about)), { recursive: true })
      fs.writeFileSync(path.join(root, about), text)
      return { found: kind, wanted: kind, ran }
    }
    case 'run': {
      fs.writeFileSync(path.join(root, about), text)
      const { status, stderr } = spawnSync(process.execPath, [about], { cwd: root, encoding: 'utf8' })
      return { found: { about, status, stderr }, wanted: { about, status: 0, stderr: '' } }
    }
    case 'output':
      return { found: ran?.stdout.trimEnd(), wanted: text.trimEnd(), ran }
    case 'stderr':
      return { found: ran?.stderr.trimEnd(), wanted: text.trimEnd(), ran }
    default:
      return runCommand(language, text.trim(), root, Number(about || 0))
  }
}

async function runCommand(language: string, line: string, root: string, wanted: number): Promise<Outcome> {
  const words = line.replace('npx embed-skills ', '').split(' ')
  const args = words.map((word) => word.replaceAll("'", ''))
  const ran = await cli(root, args)
  const stderr = ran.code === wanted ? '' : ran.stderr
  return {
    found: { language, line, code: ran.code, stderr },
    wanted: { language: 'sh', line, code: wanted, stderr: '' },
    ran,
  }
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
  for (const block of blocks) {
    const { found, wanted, ran } = await runBlock(block, root, last)
    expect(found).toEqual(wanted)
    last = ran
  }
  expect(blocks.length).toBeGreaterThan(2)
  fs.rmSync(root, { recursive: true, force: true })
})
