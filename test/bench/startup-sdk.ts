import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { loadSkills } from '@modelcontextprotocol/server/ext/skills/node'
import { requestFor } from './requests.ts'

const skills = await loadSkills(process.argv[2]!)
const server = createMcpHandler(() => {
  const mcp = new McpServer({ name: 'bench', version: '1.0.0' })
  skills.attach(mcp)
  return mcp
})
await (await server.fetch(requestFor('skills/list')())).text()
console.log(performance.now())
