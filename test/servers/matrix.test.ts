import path from 'node:path'
import { compile } from '@embed-skills/compiler'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from './start.ts'
import { bundle, snippetsOf } from '../support/snippets.ts'
import { conformance, inspect, run } from './checks.ts'
import { start } from './start.ts'

const info = { name: 'test', version: '1.0.0' }
const root = path.join(import.meta.dirname, '../../playground/worker')
const { skills } = await compile(['skills/**', { from: 'billing/*', prefix: 'acme/billing' }], { root })
const snippets = await snippetsOf('servers')

/** What a server serves otherwise than it is on disk, as the official client, which verifies it, sees it. */
async function differencesOf(client: Client): Promise<string[]> {
  const reader = new SkillsClient(client)
  const listed = (await reader.list()).skills.map(({ uri }) => uri)
  const found = skills.map(({ uri }) => uri).filter((uri) => !listed.includes(uri))
  if (listed.length !== skills.length) found.push(`${listed.length} skills`)
  for (const { uri, files } of skills) {
    const { skill } = await reader.get(uri)
    for (const file of files) {
      const served = await reader.read(skill, file.uri)
      if (!served.verified || !Buffer.from(served.bytes).equals(file.bytes)) found.push(file.uri)
    }
  }
  const resources = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await client.listResources(cursor === undefined ? {} : { cursor })
    for (const { uri } of page.resources) resources.add(uri)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return [...found, ...listed.filter((uri) => !resources.has(uri)).map((uri) => `${uri} is no resource`)]
}

const servers = snippets.filter(({ kind }) => ['server', 'worker', 'process'].includes(kind))

describe.each(servers.map((snippet) => [snippet.title, snippet] as const))('X2: %s', (_, snippet) => {
  const { legacy, authorized, eras } = snippet.options
  const headers: Record<string, string> = authorized === undefined ? {} : { authorization: 'Bearer secret' }
  let running: Running
  beforeAll(async () => {
    running = await start(snippet, skills)
  })
  afterAll(() => running?.close())

  test.each(legacy === undefined ? (['auto', 'legacy'] as const) : (['legacy'] as const))(
    'the official client verifies every file (%s)',
    async (mode) => {
      const client = new Client(info, { versionNegotiation: { mode } })
      await client.connect(
        new StreamableHTTPClientTransport(new URL(running.url), { requestInit: { headers } }),
      )
      expect(client.getNegotiatedProtocolVersion()! >= '2026-07-28').toBe(mode === 'auto')
      expect(await differencesOf(client)).toEqual([])
      await client.close()
    },
  )
  test.each(legacy === undefined ? (['modern', 'legacy'] as const) : (['legacy'] as const))(
    'the Inspector verifies every skill (%s)',
    async (era) => {
      expect(await inspect(running.url, era, headers)).toEqual({ code: 0, skills: skills.length })
    },
  )
  test.skipIf(authorized !== undefined).each(['enumeration', 'manifest', 'directory'])(
    'conformance: %s',
    async (scenario) => {
      expect(await conformance(running.url, scenario, legacy !== undefined || eras !== undefined)).toBe(0)
    },
  )
})

const scripts = snippets.filter(({ kind }) => kind === 'stdio')

describe.each(scripts.map((snippet) => [snippet.title, snippet] as const))('%s', (_, snippet) => {
  test('the official client verifies every file', async () => {
    const file = await bundle(snippet.code, skills)
    const modes =
      snippet.options['legacy'] === undefined ? (['auto', 'legacy'] as const) : (['legacy'] as const)
    for (const mode of modes) {
      const client = new Client(info, { versionNegotiation: { mode } })
      await client.connect(new StdioClientTransport({ command: process.execPath, args: [file] }))
      expect(await differencesOf(client)).toEqual([])
      await client.close()
    }
  })
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
  expect(
    snippets
      .map(({ kind }) => kind)
      .filter((kind) => !['server', 'worker', 'process', 'stdio', 'run', 'xmcp'].includes(kind)),
  ).toEqual([])
})
