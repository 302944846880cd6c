import { spawn } from 'node:child_process'
import { cp, readFile } from 'node:fs/promises'
import path from 'node:path'
import { compile, emitModules } from '@embed-skills/compiler'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { rolldown } from 'rolldown'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from './start.ts'
import { snippetsOf } from '../support/snippets.ts'
import { binOf, conformance, inspect } from './checks.ts'
import { ended, freePort, reachable, start } from './start.ts'

const info = { name: 'test', version: '1.0.0' }
const app = path.join(import.meta.dirname, 'xmcp')
const root = path.join(import.meta.dirname, '../../playground/worker')
const { skills } = await compile(['skills/**'], { root })
const snippets = (await snippetsOf('servers')).filter(({ kind }) => kind === 'xmcp')

/** Writes the compiled skills as one file, for a bundler that knows no virtual modules. */
async function writeSkills(): Promise<void> {
  const modules = emitModules(skills, { content: 'inline' })
  const build = await rolldown({
    input: 'virtual:skills',
    plugins: [{ name: 'skills', resolveId: (id) => id, load: (id) => modules.get(id)?.() }],
  })
  await build.write({ file: path.join(app, 'src/skills.js'), format: 'esm' })
  await build.close()
}

/** Builds the app in its folder. */
async function build(cwd: string, env: Record<string, string>, ...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [binOf('xmcp', 'xmcp'), 'build', ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })
  const code = await new Promise((resolve) => child.on('exit', resolve))
  if (code !== 0) throw new Error(`xmcp build ${args.join(' ')} ended with ${String(code)}`)
}

/** What an app answers to the checks, wherever it runs. */
async function checkAll(url: string): Promise<boolean> {
  for (const mode of ['auto', 'legacy'] as const) {
    const client = new Client(info, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    const reader = new SkillsClient(client)
    expect((await reader.list()).skills.map(({ uri }) => uri)).toEqual(skills.map(({ uri }) => uri))
    for (const { uri, files } of skills) {
      const { skill } = await reader.get(uri)
      for (const file of files) {
        const served = await reader.read(skill, file.uri)
        expect(served.verified).toBe(true)
        expect(Buffer.from(served.bytes).equals(file.bytes)).toBe(true)
      }
    }
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['hello'])
    await client.close()
  }
  for (const era of ['modern', 'legacy'] as const)
    expect(await inspect(url, era)).toEqual({ code: 0, skills: skills.length })
  for (const scenario of ['enumeration', 'manifest', 'directory'])
    expect(await conformance(url, scenario, false)).toBe(0)
  return true
}

describe('xmcp', () => {
  beforeAll(writeSkills)
  let running: Running | undefined
  afterEach(() => running?.close())

  test('on Node, with the middleware of the docs', async () => {
    expect(await readFile(path.join(app, 'src/middleware.ts'), 'utf8')).toBe(snippets[0]!.code)
    const port = await freePort()
    await build(app, { XMCP_PORT: String(port) })
    const child = spawn(process.execPath, ['dist/http.js'], { cwd: app, stdio: 'ignore' })
    running = { url: `http://127.0.0.1:${port}/mcp`, close: () => ended(child) }
    await reachable(running.url)
    expect(await checkAll(running.url)).toBe(true)
  }, 240_000)

  test('on Cloudflare, with the Worker of the docs around it', async () => {
    // The same app without its middleware, which on Workers is of another kind.
    const copy = path.join(import.meta.dirname, '../.xmcp-cloudflare')
    await cp(app, copy, { recursive: true, filter: (file) => !/middleware\.ts$|\.xmcp$|dist$/.test(file) })
    await build(copy, {}, '--cf')
    const code = snippets[1]!.code
      .replace('./worker.js', path.join(copy, 'worker.js'))
      .replace('./skills.js', path.join(app, 'src/skills.js'))
    running = await start({ title: 'xmcp', kind: 'worker', options: { path: '/mcp' }, code }, skills)
    expect(await checkAll(running.url)).toBe(true)
  }, 240_000)
})
