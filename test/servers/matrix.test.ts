/** Every server that the docs show, against everybody who may call it. */
import path from 'node:path'
import { compile } from '@embed-skills/compiler'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, test } from 'vitest'
import { bundle, snippetsOf } from '../support/snippets.ts'
import { inspectStdio, run } from './checks.ts'
import { checkServer, differencesOf } from './matrix.ts'
import { start, startGuarded } from './start.ts'

const root = path.join(import.meta.dirname, '../../playground/worker')
const { skills } = await compile(['skills/**', { from: 'billing/*', prefix: 'acme/billing' }], { root })
const snippets = await snippetsOf('servers')

function titled(...kinds: string[]): [string, (typeof snippets)[number]][] {
  return snippets.filter(({ kind }) => kinds.includes(kind)).map((snippet) => [snippet.title, snippet])
}

describe.each(titled('server', 'worker', 'process'))('X2: %s', (_, snippet) => {
  checkServer(skills, snippet.options, async (origin) => {
    const code = snippet.code.replaceAll('https://app.example', origin)
    const running = await start({ ...snippet, code }, skills)
    // Some let pages in themselves, and what is a process of its own has no handler to put a guard around.
    if (code !== snippet.code || snippet.kind === 'process') return running
    const guarded = await startGuarded(snippet, skills, origin)
    return {
      url: running.url,
      guarded: guarded.url,
      close: async () => void (await Promise.all([running.close(), guarded.close()])),
    }
  })
})

describe.each(titled('stdio'))('%s', (_, snippet) => {
  const isLegacy = snippet.options['legacy'] !== undefined
  test.each(isLegacy ? (['legacy'] as const) : (['auto', 'legacy'] as const))(
    'the official client verifies every file (%s)',
    async (mode) => {
      const file = await bundle(snippet.code, skills)
      const client = new Client(
        { name: 'test', version: '1.0.0' },
        mode === 'legacy' ? {} : { versionNegotiation: { mode } },
      )
      await client.connect(new StdioClientTransport({ command: process.execPath, args: [file] }))
      expect(await differencesOf(client, skills)).toEqual([])
      await client.close()
    },
  )
  test.each(isLegacy ? (['legacy'] as const) : (['modern', 'legacy'] as const))(
    'the Inspector verifies every skill (%s)',
    async (era) => {
      const file = await bundle(snippet.code, skills)
      expect(await inspectStdio(process.execPath, [file], era)).toEqual({ code: 0, skills: skills.length })
    },
  )
})

test('what the docs say is printed, is', async () => {
  for (const { code } of snippets.filter(({ kind }) => kind === 'run')) {
    const { stdout } = await run(await bundle(code, skills), [])
    const expected = [...code.matchAll(/^console\.log\(.*\) \/\/ (.*)$/gm)].map(([, text]) =>
      text!.replace('…', ''),
    )
    expect(expected.length).toBeGreaterThan(0)
    for (const text of expected) expect(stdout).toContain(text)
  }
})

test('every snippet is of a kind that is run', () => {
  const known = new Set(['server', 'worker', 'process', 'stdio', 'run', 'xmcp', 'proxy'])
  expect(snippets.map(({ kind }) => kind).filter((kind) => !known.has(kind))).toEqual([])
})
