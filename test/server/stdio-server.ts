/** Serves the compiled set of a module over stdio: `node stdio-server.ts <kind> <url of the module>`. */
import type { CompiledSkills } from '@embed-skills/runtime'
import { attachSkills } from '@embed-skills/runtime/mcp'
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js'
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { McpServer, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const [kind, url] = process.argv.slice(2)
const { default: skills } = (await import(url!)) as { default: CompiledSkills }
const info = { name: 'stdio', version: '1.0.0' }

function withSkills<S extends object>(server: S): S {
  attachSkills(server, skills)
  return server
}

if (kind === 'McpServer of v2') serveStdio(() => withSkills(new McpServer(info)))
else if (kind === 'Server of v2') serveStdio(() => withSkills(new Server(info)))
else if (kind === 'McpServer of v1')
  await withSkills(new McpServerV1(info)).connect(new StdioServerTransport())
else if (kind === 'Server of v1') await withSkills(new ServerV1(info)).connect(new StdioServerTransport())
else throw new Error(`There is no ${kind}`)
