/** Builds each playground as its `package.json` says, runs what was built, and verifies every file against the disk. */
import { execFile, spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { snippetsOf } from '../docs/snippets.ts'
import { connectOver } from '../support/client.ts'
import { RUNTIMES } from '../support/runtimes.ts'

const playgrounds = path.join(import.meta.dirname, '../../playground')

interface Started {
  readonly command: readonly string[]
  readonly over: 'stdio' | 'http'
  /** Where its URL is not the endpoint's. */
  readonly path?: string
}

/** How each is started once it is built: over stdio, or over HTTP with a line that says where. */
const STARTED: Readonly<Record<string, Started>> = {
  stdio: { command: [process.execPath, 'dist/server.js'], over: 'stdio' },
  webpack: { command: [process.execPath, 'dist/server.cjs'], over: 'http' },
  rspack: { command: [process.execPath, 'dist/server.mjs'], over: 'stdio' },
  esbuild: { command: [process.execPath, 'dist/server.js'], over: 'stdio' },
  bun: { command: [...RUNTIMES.bun, 'dist/server.js'], over: 'http' },
  astro: { command: [process.execPath, 'dist/server/entry.mjs'], over: 'http', path: '/mcp' },
  nuxt: { command: [process.execPath, '.output/server/index.mjs'], over: 'http', path: '/mcp' },
}

test.each(Object.entries(STARTED))(
  '%s',
  { timeout: 120_000 },
  async (name, { command, over, path: endpoint = '' }) => {
    const cwd = path.join(playgrounds, name)
    await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd })

    const [program, ...args] = command
    const transport =
      over === 'stdio'
        ? new StdioClientTransport({ command: program!, args, cwd })
        : new StreamableHTTPClientTransport(new URL(endpoint, await started(program!, args, cwd)))
    await using connection = await connectOver(transport, 'modern')
    const reader = new SkillsClient(connection.client)
    const served: Record<string, string> = {}
    for (const { uri } of (await reader.list()).skills) {
      const { skill } = await reader.get(uri)
      for (const file of skill.resources as { uri: string }[]) {
        const { verified, bytes } = await reader.read(skill, file.uri)
        expect(verified).toBe(true)
        served[file.uri] = Buffer.from(bytes).toString('base64')
      }
    }
    expect(served).toEqual(await onDisk(path.join(cwd, 'skills')))
  },
)

test('the page about Nuxt and Astro shows what is built here: docs/frameworks.md', async () => {
  const file = 'docs/frameworks.md'
  const repository = path.join(playgrounds, '..')
  const snippets = snippetsOf(await readFile(path.join(repository, file), 'utf8'), file)
  expect(snippets).toHaveLength(4)
  for (const { info, text } of snippets)
    expect(text).toBe(await readFile(path.join(repository, info), 'utf8'))
})

/** The URL that a server says once it listens. */
function started(program: string, args: readonly string[], cwd: string): Promise<URL> {
  const child = spawn(program, args, { cwd, env: { ...process.env, PORT: '0', HOST: '127.0.0.1' } })
  onTestFinished(() => void child.kill())
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (line: Buffer) => {
      const [url] = /http:\/\/[\w.:]+/.exec(line.toString()) ?? []
      if (url !== undefined) resolve(new URL(url))
    })
    child.once('exit', (code) => reject(new Error(`It ended with ${code}`)))
  })
}

async function onDisk(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  const read = files.map(async (file) => {
    const below = path.relative(folder, file).split(path.sep).join('/')
    return [`skill://${below}`, (await readFile(file)).toString('base64')]
  })
  return Object.fromEntries(await Promise.all(read)) as Record<string, string>
}
