/** The playgrounds in which no bundler plugin runs: their skills come from `embed-skills build`. */
import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { expect, onTestFinished, test } from 'vitest'
import { unstable_startWorker } from 'wrangler'
import { run, succeed } from '../support/apps.ts'
import { freePort } from '../support/free-port.ts'

const PLAYGROUNDS = path.join(import.meta.dirname, '../../playground')
const FILES = ['SKILL.md', 'mark.bin', 'templates/mail.md']

/** The files that the official client reads and verifies, each compared with the disk byte by byte. */
async function verifiedAt(url: string, folder: string): Promise<string[]> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const reader = new SkillsClient(client)
  const { skills } = await reader.list()
  expect(skills.map(({ uri }) => uri)).toEqual(['skill://welcome/SKILL.md'])
  const { skill } = await reader.get(skills[0]!.uri)
  const verified: string[] = []
  for (const file of FILES) {
    const served = await reader.read(skill, `skill://welcome/${file}`)
    const isSame = (await readFile(path.join(folder, 'skills/welcome', file))).equals(served.bytes)
    if (served.verified && isSame) verified.push(file)
  }
  await client.close()
  return verified
}

/** Starts a server that says when it is there, and stops it after the test. */
async function start(
  cwd: string,
  [command, ...args]: [string, ...string[]],
  env: NodeJS.ProcessEnv,
  isThere: RegExp,
): Promise<void> {
  const child = spawn(path.join(cwd, 'node_modules/.bin', command), args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, since some of these programs start another and leave it behind.
    detached: true,
  })
  onTestFinished(() => void process.kill(-child.pid!, 'SIGKILL'))
  let said = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        said += String(data)
        if (isThere.test(said)) resolve()
      })
    child.once('exit', () => reject(new Error(said)))
  })
}

test('wrangler bundles the module and its pack', async () => {
  const folder = path.join(PLAYGROUNDS, 'wrangler')
  await succeed(run(folder, 'npm', 'run', 'build'))
  const written = await readdir(path.join(folder, 'dist'))
  expect(written.filter((name) => name.endsWith('skills.bin'))).toHaveLength(1)
  const server = await unstable_startWorker({
    config: path.join(folder, 'wrangler.jsonc'),
    dev: { server: { hostname: '127.0.0.1', port: 0 }, inspector: false, watch: false, logLevel: 'error' },
  })
  onTestFinished(() => server.dispose())
  expect(await verifiedAt((await server.url).href, folder)).toEqual(FILES)
})

test('Deno serves the module and its chunks', async () => {
  const folder = path.join(PLAYGROUNDS, 'deno')
  await succeed(run(folder, 'npm', 'run', 'skills'))
  const port = await freePort()
  const args = ['run', '--no-prompt', '--allow-net=127.0.0.1', '--allow-env=PORT', 'server.ts'] as const
  await start(folder, ['deno', ...args], { PORT: String(port) }, /Listening/)
  expect(await verifiedAt(`http://127.0.0.1:${port}/`, folder)).toEqual(FILES)
})

test('Next builds the module and its chunks with Turbopack', { timeout: 600_000 }, async () => {
  const folder = path.join(PLAYGROUNDS, 'next')
  process.env['NEXT_TELEMETRY_DISABLED'] = '1'
  expect(await succeed(run(folder, 'npm', 'run', 'build'))).toContain('Turbopack')
  const port = await freePort()
  await start(folder, ['next', 'start', '-H', '127.0.0.1', '-p', String(port)], {}, /Ready in/)
  expect(await verifiedAt(`http://127.0.0.1:${port}/mcp`, folder)).toEqual(FILES)
})

test('Vitest runs a snapshot test of the skills', async () => {
  const folder = path.join(PLAYGROUNDS, 'vitest')
  // Whether it is run by Vitest itself is not to matter to it.
  const said = await succeed(
    run(folder, 'env', '-u', 'VITEST', 'CI=true', path.join(folder, 'node_modules/.bin/vitest'), 'run'),
  )
  expect(said).toMatch(/2 passed/)
})
