import path from 'node:path'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import { connectOver } from '../support/client.ts'
import { demoSkills } from '../support/demo.ts'
import { writeModules } from '../support/modules.ts'

const skills = await demoSkills()
const module = await writeModules(skills)
const script = path.join(import.meta.dirname, 'stdio-server.ts')

test.each([
  ['McpServer of v2', 'modern'],
  ['McpServer of v2', 'legacy'],
  ['Server of v2', 'modern'],
  ['Server of v2', 'legacy'],
  ['McpServer of v1', 'legacy'],
  ['Server of v1', 'legacy'],
] as const)('a client verifies every file over stdio: %s, %s', async (kind, era) => {
  const transport = new StdioClientTransport({ command: process.execPath, args: [script, kind, module] })
  await using connection = await connectOver(transport, era)
  const reader = new SkillsClient(connection.client)
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
})
