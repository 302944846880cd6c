/** `pull` and `verify` against a server over standard streams, and against a Worker in workerd. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { compile, formatLock, lockOf } from '@embed-skills/compiler'
import { expect, test } from 'vitest'
import { main } from '../../packages/cli/src/main.ts'
import { run, start } from './support/cli.ts'
import { filesBelow, temporaryFolder } from './support/folders.ts'
import { rawSkill, RawServer } from './support/servers.ts'
import { startWorker } from './support/worker.ts'

const playground = path.join(import.meta.dirname, '../../playground/worker')
const stdio = ['--', process.execPath, path.join(import.meta.dirname, 'support/stdio-server.ts')]
const { skills } = await compile(['skills/**', { from: 'billing/*', prefix: 'acme/billing' }], {
  root: playground,
})
const fileCount = skills.reduce((sum, { files }) => sum + files.length, 0)

/** The lock of the playground's skills, as a build writes it. */
async function writeLock(folder: string, change: (lock: string) => string): Promise<string> {
  const file = path.join(folder, 'skills.lock.json')
  await writeFile(file, change(formatLock(lockOf(skills))))
  return file
}

/** Pulls and verifies all that a server has, which is the playground's skills. */
async function pullAndVerify(server: readonly string[]): Promise<Record<string, unknown>> {
  const cwd = await temporaryFolder()
  const pull = (): ReturnType<typeof run> =>
    run(['pull', '--out', 'out', '--label', 'it', ...server], { cwd })
  const [pulled, files] = [await pull(), await filesBelow(path.join(cwd, 'out/it'))]
  const again = await pull()
  const lock = await writeLock(cwd, (text) => text)
  const verified = await run(['verify', '--lock', lock, ...server], { cwd })
  await writeLock(cwd, (text) => text.replace(/("references\/vat\.md": )"[^"]*"/, '$1"sha256:other"'))
  const differs = await run(['verify', '--lock', lock, ...server], { cwd })
  const { output } = await run(['verify', '--format', 'json', '--ignore-unlocked', ...server], { cwd })
  const json = JSON.parse(output.slice(output.indexOf('{\n'))) as { skills: object[] }
  return { pulled, files, again, verified, differs, json: { ...json, skills: json.skills.length } }
}

/** What is on disk, in the places where it is pulled to. */
async function playgroundFiles(): Promise<Record<string, string>> {
  const billing = await filesBelow(path.join(playground, 'billing'))
  const own = await filesBelow(path.join(playground, 'skills'))
  return {
    ...Object.fromEntries(Object.entries(billing).map(([file, text]) => [`acme/billing/${file}`, text])),
    ...own,
  }
}

const complete = {
  pulled: { code: 0, output: expect.stringContaining('skill://acme/billing/refunds/SKILL.md  new') },
  files: await playgroundFiles(),
  again: {
    code: 0,
    output: expect.stringMatching(new RegExp(`^(?:\\S+ {2}unchanged .*\n){${skills.length}}$`)),
  },
  verified: {
    code: 0,
    output: expect.stringContaining(
      `${skills.length} skills, ${fileCount} files, compared with the lock: all as listed`,
    ),
  },
  json: { skills: skills.length, problems: [], lock: null },
  differs: {
    code: 1,
    output: expect.stringMatching(
      /skill:\/\/acme\/billing\/invoices\/SKILL\.md\n {2}references\/vat\.md\n {2}lock: the server has sha256:[0-9a-f]{64}, the lock sha256:other/,
    ),
  },
}

test('S4, X6: pull and verify read a server over standard streams', { timeout: 120_000 }, async () => {
  expect(await pullAndVerify(stdio)).toEqual(complete)
})

test('S4, X6: pull and verify read a Worker in workerd', { timeout: 120_000 }, async () => {
  const worker = await startWorker()
  try {
    expect(await pullAndVerify([worker.url])).toEqual(complete)
    const cwd = await temporaryFolder()
    for (const args of [
      ['code-review', worker.url],
      [worker.url, 'brand-kit'],
    ])
      expect(await run(['pull', '--out', 'x', '--label', 'it', ...args], { cwd })).toMatchObject({ code: 0 })
    expect(await readdir(path.join(cwd, 'x/it'))).toEqual(['brand-kit', 'code-review'])
  } finally {
    await worker.close()
  }
})

test('S4: pull takes the skills that are named, by name or URI, and no others', async () => {
  const cwd = await temporaryFolder()
  const { code, output } = await run(
    ['pull', 'code-review', 'skill://acme/billing/refunds/SKILL.md', '--out', 'x', '--label', 'it', ...stdio],
    { cwd },
  )
  expect({ code, output }).toMatchObject({ code: 0 })
  const folders = Object.keys(await filesBelow(path.join(cwd, 'x/it'))).filter((file) =>
    file.endsWith('SKILL.md'),
  )
  expect(folders).toEqual(['acme/billing/refunds/SKILL.md', 'code-review/SKILL.md'])
  expect(await run(['pull', 'none', '--out', 'x', '--label', 'it', ...stdio], { cwd })).toMatchObject({
    code: 2,
    output: expect.stringContaining('lists no skill named "none"'),
  })
})

test('S4: pull installs into a folder that agents scan only with --install', async () => {
  const cwd = await temporaryFolder()
  await mkdir(path.join(cwd, '.claude/skills'), { recursive: true })
  const refused = await run(['pull', 'code-review', '--out', '.claude/skills', ...stdio], { cwd })
  expect(refused).toMatchObject({ code: 2, output: expect.stringContaining('install') })
  const installed = await run(['pull', 'code-review', '--out', '.claude/skills', '--install', ...stdio], {
    cwd,
  })
  expect(installed.code).toBe(0)
  expect(await readFile(path.join(cwd, '.claude/skills/code-review/SKILL.md'), 'utf8')).toContain(
    'code-review',
  )
})

test.each([
  [['pull'], 'Name a server'],
  [['pull', 'http://127.0.0.1:9/'], 'Say where to write'],
  [['verify'], 'Name a server'],
  [['verify', 'localhost:3000'], 'The URL of a server begins with https:// or http://'],
  [
    ['verify', '--header', 'secret-value', 'http://127.0.0.1:9/'],
    "A header is written as --header 'Name: value'",
  ],
  [['verify', '--lock', 'none.json', 'http://127.0.0.1:9/'], 'There is no none.json'],
  [['verify', '--lock', '.', 'http://127.0.0.1:9/'], 'cannot be read (EISDIR)'],
])('S4, X6: %j is a wrong command line', async (args, message) => {
  const { code, output } = await run(args)
  expect(code).toBe(2)
  expect(output).toContain(message)
  expect(output).not.toContain('secret-value')
})

test.each([
  [['--', 'no-such-command'], 'There is no command no-such-command.'],
  [['--', process.execPath, '-e', '0'], 'Does the command serve MCP on stdin and stdout?'],
])('S4, X6: a command that serves nothing is told: %j', async (args, message) => {
  const { code, output } = await run(['verify', ...args])
  expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining(message) })
})

test('S4, X6: what authenticates is sent, from options, the environment or the URL, and never printed', async () => {
  const raw = new RawServer([rawSkill('refunds')])
  const seen: Record<string, unknown>[] = []
  let status = 200
  let location: string | undefined
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    seen.push({ ...request.headers, url: request.url })
    if (status !== 200)
      return response
        .writeHead(status, location === undefined ? {} : { location })
        .end(`You sent ${request.headers.authorization} ${request.headers['x-key']} ${request.url}`)
    const answer = await raw.fetch(
      new Request('http://localhost/', {
        method: request.method!,
        ...(request.method === 'POST' && { body: Buffer.concat(chunks) }),
      }),
    )
    return response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const env = { EMBED_SKILLS_TOKEN: 'tok-secret', EMBED_SKILLS_HEADERS: 'X-Other: oth-secret' }
  const args = ['verify', '--header', 'X-Key: key-secret']
  try {
    const url = `http://127.0.0.1:${port}/mcp?key=query-secret`
    for (const [at, authorization] of [
      [url, 'Bearer tok-secret'],
      [url.replace('//', '//me:pass-secret@'), `Basic ${Buffer.from('me:pass-secret').toString('base64')}`],
    ] as const)
      for (status of [200, 500, 401]) {
        const { code, output } = await run([...args, at], { env })
        expect(code).toBe(status === 200 ? 0 : 2)
        expect(seen.at(-1)).toMatchObject({
          authorization,
          'x-key': 'key-secret',
          'x-other': 'oth-secret',
          url: '/mcp?key=query-secret',
        })
        expect(output).not.toMatch(/secret/)
        expect(output).not.toContain(authorization.slice(6))
      }

    // Not even to where the server would have it sent.
    status = 307
    location = `http://localhost:${port}/elsewhere`
    const requests = seen.length
    expect(await run([...args, url], { env })).toMatchObject({ code: 2 })
    expect(seen.slice(requests).every(({ url }) => url === '/mcp?key=query-secret')).toBe(true)
  } finally {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  }
})

test('S4: progress is shown where there is a terminal, and wiped', async () => {
  const shown: string[] = []
  const printed: string[] = []
  const io = {
    cwd: await temporaryFolder(),
    isTerminal: true,
    out: (text: string) => printed.push(text),
    err: (text: string) => printed.push(text),
    progress: (text: string) => shown.push(text),
  }
  expect(await main(['pull', 'brand-kit', '--out', 'x', ...stdio], io)).toBe(0)
  expect(shown.slice(0, 2)).toEqual([
    'skill://brand-kit/SKILL.md: 0 of 6 files',
    'skill://brand-kit/SKILL.md: 1 of 6 files',
  ])
  expect(shown.slice(-2)).toEqual(['skill://brand-kit/SKILL.md: 6 of 6 files', ''])
  expect(printed).toEqual([expect.stringContaining('(6 written, 0 kept)')])
})

test.each([
  ['pull', ['--out', 'x'], 'is left out'],
  ['verify', [], 'entry: '],
])(
  "S4: a server's words neither steer the terminal nor begin a line (%s)",
  async (command, options, said) => {
    const server = new RawServer([rawSkill('refunds')])
    const { skills } = (await server.answers['skills/list']!({})) as { skills: object[] }
    const uri = 'skill://x/SKILL.md\x1B[2K\x9B1A\u202E\nskill://refunds/SKILL.md  verified'
    server.answers['skills/list'] = () => ({ skills: [...skills, { uri }] })
    const printed: string[] = []
    const print = (text: string): unknown => printed.push(...text.split('\n'))
    const http = await listen(server)
    try {
      const io = { cwd: await temporaryFolder(), isTerminal: true, out: print, err: print }
      expect(await main([command, http.url, ...options], io)).toBe(1)
    } finally {
      await http.close()
    }
    expect(printed.join('\n')).toContain(said)
    for (const steering of ['\x1B', '\x9B', '\u202E']) expect(printed.join('')).not.toContain(steering)
    expect(printed.filter((line) => line.startsWith('skill://refunds/SKILL.md'))).toHaveLength(1)
  },
)

test('S4: words of a server that are made to take long take as long as any other', async () => {
  const server = new RawServer([])
  const uri = 'skill://x/SKILL.md'
  const frontmatter = { name: `${' '.repeat(1_000_000)}x`, description: 'x' }
  server.answers['skills/list'] = () => ({ skills: [{ uri, frontmatter, resources: [] }] })
  const [http, printed] = [await listen(server), [] as string[]]
  const print = (line: string): unknown => printed.push(line)
  try {
    const io = { cwd: await temporaryFolder(), isTerminal: true, out: print, err: print }
    expect(await main(['pull', http.url, '--out', 'x'], io)).toBe(1)
  } finally {
    await http.close()
  }
  expect(printed.join('\n')).toContain(`${uri} is left out`)
})

test("S4: nor do the folders that its skills' names make", async () => {
  const uri = 'skill://a/b%0Aevil/live/SKILL.md'
  const { entry, files } = rawSkill('live')
  const text = JSON.stringify(entry).replaceAll('skill://live/SKILL.md', uri)
  const server = new RawServer([])
  for (const resources of [(JSON.parse(text) as typeof entry).resources, 'dynamic'] as const) {
    server.serve([{ entry: { ...entry, uri, resources }, files }])
    const printed: string[] = []
    const print = (line: string): unknown => printed.push(...line.split('\n'))
    const http = await listen(server)
    try {
      const io = { cwd: await temporaryFolder(), isTerminal: true, out: print, err: print }
      await main(['pull', http.url, '--out', 'x', '--unsafe-names'], io)
    } finally {
      await http.close()
    }
    expect(printed.join('\n')).toContain(uri)
    expect(printed.filter((line) => line.startsWith('evil'))).toEqual([])
  }
})

test('S4: a pull that is interrupted leaves nothing half done', async () => {
  const server = new RawServer([rawSkill('refunds', [{ path: 'a.md', text: 'a' }])])
  const read = server.answers['resources/read']!
  let arrived: (() => void) | undefined
  const second = new Promise<void>((resolve) => (arrived = resolve))
  server.answers['resources/read'] = (params) => {
    if (server.count('resources/read') < 2) return read(params)
    arrived!()
    return new Promise<never>(() => {})
  }
  const [http, cwd] = [await listen(server), await temporaryFolder()]
  try {
    const { child, ended } = start(['pull', '--out', 'x', http.url], cwd)
    await second
    child.kill('SIGINT')
    expect(await ended).toEqual({ code: 130, output: 'Interrupted.\n' })
    expect(await readdir(path.join(cwd, 'x'))).toEqual([])
  } finally {
    await http.close()
  }
})

/** A raw server over real HTTP. */
async function listen(server: RawServer): Promise<{ url: string; close: () => Promise<unknown> }> {
  const http = createServer(async (request, response) => {
    const { method = 'GET' } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = method === 'POST' && { body: Buffer.concat(chunks) }
    const answer = await server.fetch(new Request('http://localhost/', { method, ...body }))
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const close = (): Promise<unknown> => {
    http.closeAllConnections()
    return new Promise((resolve) => http.close(resolve))
  }
  return { url: `http://127.0.0.1:${port}/mcp`, close }
}
