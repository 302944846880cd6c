import { spawn } from 'node:child_process'
import { cp, readFile } from 'node:fs/promises'
import path from 'node:path'
import { compile, emitModules } from '@embed-skills/compiler'
import { rolldown } from 'rolldown'
import { describe, expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { snippetsOf } from '../support/snippets.ts'
import { binOf } from './checks.ts'
import { checkServer } from './matrix.ts'
import { ended, reachable, spawnGroup, start, startGuarded } from './start.ts'

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

describe('xmcp on Node, with the middleware of the docs', () => {
  test('which is that of the app', async () => {
    expect(await readFile(path.join(app, 'src/middleware.ts'), 'utf8')).toBe(snippets[0]!.code)
  })
  checkServer(skills, { both: '' }, async (origin) => {
    await writeSkills()
    const port = await freePort()
    await build(app, { XMCP_PORT: String(port), XMCP_ORIGIN: origin })
    const child = spawnGroup(process.execPath, ['dist/http.js'], { cwd: app })
    const url = `http://127.0.0.1:${port}/mcp`
    await reachable(url)
    return { url, close: () => ended(child) }
  })
})

describe('xmcp on Cloudflare, with the Worker of the docs around it', () => {
  checkServer(skills, { both: '' }, async (origin) => {
    await writeSkills()
    // The same app without its middleware, which on Workers is of another kind.
    const copy = path.join(import.meta.dirname, '../.xmcp-cloudflare')
    await cp(app, copy, { recursive: true, filter: (file) => !/middleware\.ts$|\.xmcp$|dist$/.test(file) })
    await build(copy, {}, '--cf')
    const code = snippets[1]!.code
      .replace('./worker.js', path.join(copy, 'worker.js'))
      .replace('./skills.js', path.join(app, 'src/skills.js'))
    const snippet = { title: 'xmcp', kind: 'worker', options: { path: '/mcp' }, code }
    const running = await start(snippet, skills)
    const guarded = await startGuarded(snippet, skills, origin)
    return {
      url: running.url,
      guarded: guarded.url,
      close: async () => void (await Promise.all([running.close(), guarded.close()])),
    }
  })
})
