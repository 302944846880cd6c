/** The checks that every server passes, whatever it is made with. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CompiledSkill } from '@embed-skills/compiler'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from './page.ts'
import type { Running } from './start.ts'
import { noChromium } from '../support/chromium.ts'
import { binOf, conformance, inspect } from './checks.ts'
import { openPage } from './page.ts'

const JSON_ALONE = 'application/json'
const info = { name: 'test', version: '1.0.0' }

/** What a server says of itself in the docs, as options of its snippet: words that are there or not. */
export interface Traits {
  /** It speaks the legacy era alone. */
  readonly legacy?: string
  /** Of the legacy era, it speaks these revisions alone. */
  readonly eras?: string
  /** It wants the token `secret`. */
  readonly authorized?: string
  /** In the legacy era it answers 406 to a client that does not take both JSON and event streams. */
  readonly both?: string
}

/** The server of a test, and where it stands behind a `guard` that lets pages of an origin in. */
export interface Started extends Running {
  readonly guarded?: string
}

/** Defines the tests of one server, which runs for them all. */
export function checkServer(
  skills: readonly CompiledSkill[],
  traits: Traits,
  startFor: (origin: string) => Promise<Started>,
): void {
  const isLegacy = traits.legacy !== undefined
  const modes = isLegacy ? (['legacy'] as const) : (['auto', 'legacy'] as const)
  const headers: Record<string, string> =
    traits.authorized === undefined ? {} : { authorization: 'Bearer secret' }
  let running: Started
  let page: Page | undefined
  beforeAll(async () => {
    page = noChromium ? undefined : await openPage()
    running = await startFor(page?.origin ?? 'https://app.example')
  })
  afterAll(async () => {
    await running?.close()
    await page?.close()
  })

  /** What a client of a server that takes no more than JSON, or anything, finds otherwise than on disk. */
  async function differences(mode: 'auto' | 'legacy', url: string, accept?: string): Promise<string[]> {
    const client = new Client(info, { versionNegotiation: { mode } })
    const fetchAs = (url: string | URL, init?: RequestInit): Promise<Response> => {
      const sent = new Headers(init?.headers)
      if (accept && init?.method === 'POST') sent.set('accept', accept)
      return fetch(url, { ...init, headers: sent })
    }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers }, fetch: fetchAs }),
    )
    expect(client.getNegotiatedProtocolVersion()! >= '2026-07-28').toBe(mode === 'auto')
    const found = await differencesOf(client, skills)
    await client.close()
    return found
  }

  test.each(modes)('the official client verifies every file (%s)', async (mode) => {
    expect(await differences(mode, running.url)).toEqual([])
  })
  test.each(isLegacy ? (['legacy'] as const) : (['modern', 'legacy'] as const))(
    'the Inspector verifies every skill (%s)',
    async (era) => {
      expect(await inspect(running.url, era, headers)).toEqual({ code: 0, skills: skills.length })
    },
  )
  // The suite sends no token.
  test.skipIf(traits.authorized !== undefined).each(['enumeration', 'manifest', 'directory'])(
    'conformance: %s',
    async (scenario) => {
      const forced = isLegacy || traits.eras !== undefined
      expect(await conformance(running.url, scenario, forced)).toBe(0)
    },
  )
  const refusing = traits.both === undefined ? [] : ['legacy' as const]
  const taking = modes.filter((mode) => mode !== refusing[0])
  test.skipIf(!taking.length).each(taking)('Accept: application/json alone (%s)', async (mode) => {
    expect(await differences(mode, running.url, JSON_ALONE)).toEqual([])
  })
  test.skipIf(!refusing.length)('Accept: application/json alone is refused (legacy)', async () => {
    await expect(differences('legacy', running.url, JSON_ALONE)).rejects.toThrow(/not acceptable/i)
  })
  test.for(modes)('Accept: application/json alone, of a guard around it (%s)', async (mode, { skip }) => {
    const url = running.guarded ?? skip('there is no fetch handler, or it has its own guard')
    expect(await differences(mode, url, JSON_ALONE)).toEqual([])
  })
  test('mcp-remote as a bridge', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'embed-skills-remote-'))
    const args = [binOf('mcp-remote', 'mcp-remote'), running.url, '--transport', 'http-only', '--allow-http']
    for (const [name, value] of Object.entries(headers)) args.push('--header', `${name}:${value}`)
    const env = { ...getDefaultEnvironment(), MCP_REMOTE_CONFIG_DIR: folder }
    const client = new Client(info, { versionNegotiation: { mode: 'legacy' } })
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }))
    expect(await differencesOf(client, skills)).toEqual([])
    await client.close()
    await rm(folder, { recursive: true, force: true })
  })
  test.skipIf(noChromium)('a page of another origin, in Chromium', async () => {
    const files = skills.flatMap((skill) => skill.files.map(({ uri }) => uri))
    for (const mode of modes)
      expect(await page!.verify(running.guarded ?? running.url, mode, headers)).toEqual(files)
  })
}

/** What a server serves otherwise than it is on disk, as the official client, which verifies it, sees it. */
export async function differencesOf(client: Client, skills: readonly CompiledSkill[]): Promise<string[]> {
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
