import path from 'node:path'
import { compile } from '@embed-skills/compiler'
import { serveSkills } from '@embed-skills/runtime/fetch'
import { attachSkills } from '@embed-skills/runtime/mcp'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'
import { importSkills } from '../support/modules.ts'

const info = { name: 'test', version: '1.0.0' }
const root = path.join(import.meta.dirname, '../../playground/worker')
const { skills } = await compile(['skills/**', { from: 'billing/*', prefix: 'acme/billing' }], { root })
const compiled = await importSkills(skills)

const servers = {
  serveSkills: serveSkills(compiled, info),
  'official v2': createMcpHandler(() => {
    const server = new McpServer(info)
    attachSkills(server, compiled)
    return server
  }),
}

describe.each(Object.entries(servers))('%s', (_, server) => {
  test.each(['auto', 'legacy'] as const)('the official client verifies every file (%s)', async (mode) => {
    const client = new Client(info, { versionNegotiation: { mode } })
    await client.connect(
      new StreamableHTTPClientTransport(new URL('http://localhost/'), {
        fetch: (url, init) => server.fetch(new Request(url, init)),
      }),
    )
    const reader = new SkillsClient(client)
    const listed = await reader.list()
    expect(listed.skills.map(({ uri }) => uri)).toEqual(skills.map(({ uri }) => uri))
    for (const { uri, files } of skills) {
      const { skill } = await reader.get(uri)
      for (const file of files) {
        const served = await reader.read(skill, file.uri)
        expect(served.verified).toBe(true)
        expect(Buffer.from(served.bytes).equals(file.bytes)).toBe(true)
      }
    }
    await client.close()
  })
})
