import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { compile } from '@embed-skills/compiler'
import { Client } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import { snippetsOf } from '../support/snippets.ts'
import { binOf } from './checks.ts'
import { start } from './start.ts'

const root = path.join(import.meta.dirname, '../../playground/worker')
const { skills } = await compile(['skills/**', { from: 'billing/*', prefix: 'acme/billing' }], { root })
const snippets = await snippetsOf('servers')
const servers = snippets.filter(
  ({ kind, options }) => ['server', 'process'].includes(kind) && options['authorized'] === undefined,
)

/** SDK transports of the legacy era want both types, and say so; sessions want an `initialize` first. */
const REFUSALS = [406, 400]

test.each(servers.map((snippet) => [snippet.title, snippet] as const))(
  'Accept: application/json alone: %s',
  async (_, snippet) => {
    const running = await start(snippet, skills)
    const response = await fetch(running.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'skills/list', params: {} }),
    })
    const text = await response.text()
    await running.close()
    const count = response.status === 200 ? JSON.parse(text.replace(/^[^{]*/, '')).result.skills.length : 0
    const allowed = /serveSkills/.test(snippet.code) ? [] : REFUSALS
    expect(count === skills.length || allowed.includes(response.status)).toBe(true)
  },
)

test.each(
  servers
    .filter(({ title }) => /^(fetch.md #[13]|official-sdk.md #[14]|with-skills|tmcp|fastmcp)/.test(title))
    .map((snippet) => [snippet.title, snippet] as const),
)('through mcp-remote: %s', async (_, snippet) => {
  const running = await start(snippet, skills)
  const folder = await mkdtemp(path.join(tmpdir(), 'embed-skills-remote-'))
  const env = { ...getDefaultEnvironment(), MCP_REMOTE_CONFIG_DIR: folder }
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } })
  const args = [binOf('mcp-remote', 'mcp-remote'), running.url, '--transport', 'http-only', '--allow-http']
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }))
  const reader = new SkillsClient(client)
  const listed = await reader.list()
  expect(listed.skills.map(({ uri }) => uri)).toEqual(skills.map(({ uri }) => uri))
  const { skill } = await reader.get(skills[0]!.uri)
  expect((await reader.read(skill, skill.uri)).verified).toBe(true)
  await client.close()
  await running.close()
})
