/** A server of the official SDK over standard streams, with the skills of the playground. */
import path from 'node:path'
import { compile } from '@embed-skills/compiler'
import { attachSkills } from '@embed-skills/runtime/mcp'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { importSkills } from '../../support/modules.ts'

const root = path.join(import.meta.dirname, '../../../playground/worker')
const { skills } = await compile(['skills/**', { from: 'billing/*', prefix: 'acme/billing' }], { root })
const compiled = await importSkills(skills)

serveStdio(() => {
  const server = new McpServer({ name: 'stdio', version: '1.0.0' })
  attachSkills(server, compiled)
  return server
})
