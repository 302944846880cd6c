import { mkdtemp, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { main } from './main.ts'

async function run(cwd: string, ...argv: string[]): Promise<{ code: number; output: string }> {
  const lines: string[] = []
  const write = (text: string): unknown => lines.push(text)
  const code = await main(argv, { cwd, isTerminal: false, out: write, err: write })
  return { code, output: lines.join('\n') }
}

async function skill(frontmatter: string): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'embed-skills-'))
  await mkdir(path.join(root, 'skills/refunds'), { recursive: true })
  await writeFile(path.join(root, 'skills/refunds/SKILL.md'), `---\n${frontmatter}\n---\nBody\n`)
  return root
}

test('check ends with 0 when nothing is wrong', async () => {
  const root = await skill('name: refunds\ndescription: Handles refunds')
  expect(await run(root, 'check', 'skills/*')).toEqual({ code: 0, output: '1 skill, 1 file' })
})

test('check shows the place and the fix of an error, and ends with 1', async () => {
  const root = await skill('name: refund\ndescription: Handles refunds')
  const { code, output } = await run(root, 'check', 'skills/*')
  expect(code).toBe(1)
  expect(output).toContain('skills/refunds/SKILL.md:2:7 error')
  expect(output).toContain('> 2 | name: refund')
  expect(output).toContain('1 error')
})

test('a wrong command line ends with 2 and shows the usage', async () => {
  for (const argv of [[], ['chekc'], ['check'], ['check', '--nonsense', 'x']])
    expect(await run('/', ...argv)).toMatchObject({
      code: 2,
      output: expect.stringContaining('embed-skills check [globs...]'),
    })
})
