/** A server over stdio, as desktop hosts start it: `node dist/server.js`. */
import { attachSkills } from '@embed-skills/runtime/mcp'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import skills from 'virtual:skills'

serveStdio(() => {
  const server = new McpServer({ name: 'greetings', version: '1.0.0' })
  attachSkills(server, skills)
  return server
})
