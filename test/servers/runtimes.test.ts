import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { compile } from '@embed-skills/compiler'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { describe, expect, test } from 'vitest'
import type { Snippet } from '../support/snippets.ts'
import type { Running } from './start.ts'
import { freePort } from '../support/free-port.ts'
import { bundle, snippetsOf } from '../support/snippets.ts'
import { ended, reachable, spawnGroup, start } from './start.ts'

const info = { name: 'test', version: '1.0.0' }
const root = path.join(import.meta.dirname, '../../playground/worker')
const { skills } = await compile(['skills/**', { from: 'billing/*', prefix: 'acme/billing' }], { root })
const files = skills.reduce((sum, skill) => sum + skill.files.length, 0)
const bin = path.join(import.meta.dirname, '../node_modules/.bin')
// What is nothing but a fetch handler runs wherever there is fetch; the rest needs Node.
const servers = (await snippetsOf('servers')).filter(
  ({ kind, options }) => kind === 'server' && options['authorized'] === undefined,
)

/** How each runtime serves the default export of a module. */
const HOSTS: Record<string, (file: string) => { command: string; args: string[]; code: string }> = {
  Deno: (file) => ({
    command: path.join(bin, 'deno'),
    args: ['run', '--allow-all', '--no-lock', '--node-modules-dir=manual'],
    code: `import server from ${JSON.stringify(file)}
Deno.serve({ hostname: '127.0.0.1', port: Number(Deno.env.get('PORT')), onListen() {} }, (request) => server.fetch(request))`,
  }),
  Bun: (file) => ({
    command: path.join(bin, 'bun'),
    args: ['run'],
    code: `import server from ${JSON.stringify(file)}
Bun.serve({ hostname: '127.0.0.1', port: Number(process.env.PORT), fetch: (request) => server.fetch(request) })`,
  }),
}

async function startIn(runtime: string, snippet: Snippet): Promise<Running> {
  if (runtime === 'workerd') return start({ ...snippet, kind: 'worker' }, skills)
  const file = await bundle(snippet.code, skills, true)
  const { command, args, code } = HOSTS[runtime]!(file)
  const host = file.replace('.mjs', `.${runtime}.mjs`)
  await writeFile(host, code)
  const port = await freePort()
  const child = spawnGroup(command, [...args, host], {
    env: { ...process.env, PORT: String(port), DENO_NO_UPDATE_CHECK: '1', DENO_NO_PROMPT: '1' },
  })
  const url = `http://127.0.0.1:${port}${snippet.options['path'] ?? '/'}`
  await reachable(url)
  return { url, close: () => ended(child) }
}

describe.each(['workerd', 'Deno', 'Bun'])('%s', (runtime) => {
  test.each(servers.map((snippet) => [snippet.title, snippet] as const))('%s', async (_, snippet) => {
    const running = await startIn(runtime, snippet)
    try {
      const modes =
        snippet.options['legacy'] === undefined ? (['auto', 'legacy'] as const) : (['legacy'] as const)
      for (const mode of modes) {
        const client = new Client(info, { versionNegotiation: { mode } })
        await client.connect(new StreamableHTTPClientTransport(new URL(running.url)))
        const reader = new SkillsClient(client)
        let verified = 0
        for (const { uri } of (await reader.list()).skills) {
          const { skill } = await reader.get(uri)
          for (const file of skill.resources as { uri: string }[])
            if ((await reader.read(skill, file.uri)).verified) verified++
        }
        expect(verified).toBe(files)
        await client.close()
      }
    } finally {
      await running.close()
    }
  })
})
