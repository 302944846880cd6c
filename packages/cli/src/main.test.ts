import { once } from 'node:events'
import { mkdtemp, mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Command } from './command.ts'
import { main } from './main.ts'
import { version } from './version.ts'

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
  for (const argv of [['check'], ['check', '--nonsense', 'x']])
    expect(await run('/', ...argv)).toMatchObject({
      code: 2,
      output: expect.stringContaining('embed-skills check [globs...]'),
    })
})

test('without a command, and with --help, all commands are listed in 80 columns', async () => {
  const listed = await run('/', '--help')
  expect(listed).toEqual({ code: 0, output: expect.stringContaining('\n  check    Reports everything') })
  expect(await run('/', 'help')).toEqual(listed)
  expect(await run('/')).toEqual({ ...listed, code: 2 })
  expect(listed.output.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test.each(['check', 'build', 'types', 'lock', 'serve', 'explain', 'pull', 'verify'])(
  '%s --help names every option, and what the command ends with',
  async (name) => {
    const { output } = await run('/', name, '--help')
    const { default: command } = (await import(`./commands/${name}.ts`)) as { default: Command }
    expect(output).toContain(`embed-skills ${name} `)
    expect(output).toContain('Ends with 0')
    const named = new Set(output.match(/(?<=--)[\w-]+/g))
    expect([...Object.keys(command.options), 'help'].filter((option) => !named.has(option))).toEqual([])
    expect(await run('/', 'help', name)).toEqual({ code: 0, output })
  },
)

test('--version prints the version', async () => {
  expect(await run('/', '--version')).toEqual({ code: 0, output: version() })
})

test.each([
  [['chekc'], 'There is no command "chekc". Is check meant?'],
  [['--format', 'json', 'check'], 'The command comes first, ahead of --format.'],
  [['check', '--formt', 'json'], 'There is no option --formt. Is --format meant?'],
  [['check', '-x'], 'There is no option -x.'],
  [['check', '--max-warnings'], "'--max-warnings <value>' argument missing"],
  [['types', 'skills/*', '--out', 'src'], '--out ends in .d.ts, not "src"'],
  [['explain', 'broken-link', 'limits'], 'Name one rule'],
])('%s: says what is wrong', async (argv, message) => {
  const { code, output } = await run('/', ...argv)
  expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining(message) })
})

test('rules are explained whatever the case of their letters', async () => {
  expect(await run('/', 'explain', 'Broken-Link')).toEqual(await run('/', 'explain', 'broken-link'))
})

test('a port that is in use is said, with what to do', async () => {
  const root = await skill('name: refunds\ndescription: Handles refunds')
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { code, output } = await run(root, 'serve', 'skills/*', '--http', String(port))
  server.close()
  expect(code).toBe(2)
  expect(output).toContain(`Port ${port} is in use: choose another with --http, or 0 for any that is free`)
})

test('what cannot be written is said in a line, and nothing is left beside it', async () => {
  const root = await skill('name: refunds\ndescription: Handles refunds')
  await mkdir(path.join(root, 'folder.ts'))
  await mkdir(path.join(root, 'folder.d.ts'))
  await writeFile(path.join(root, 'file'), '')
  const isFolder = 'this is a folder, not a file'
  for (const [argv, output] of [
    [['build', 'skills/*', '--out', 'folder.ts'], `folder.ts: ${isFolder}`],
    [['types', 'skills/*', '--out', 'folder.d.ts'], `folder.d.ts: ${isFolder}`],
    [['lock', 'skills/*', '--file', 'folder.ts'], `folder.ts: ${isFolder}`],
    [['build', 'skills/*', '--out', 'file/skills.ts'], 'file: a file stands where a folder is needed'],
    [['lock', 'skills/*', '--file', 'none/x.json'], 'none/x.json: there is no such file or folder'],
  ] as const)
    expect(await run(root, ...argv)).toEqual({ code: 2, output })
  expect((await readdir(root)).toSorted()).toEqual(['file', 'folder.d.ts', 'folder.ts', 'skills'])
})
