/** A server over HTTP, without an SDK for the protocol: `PORT=3000 node dist/server.cjs`. */
import { createServer } from 'node:http'
import { serveSkills } from '@embed-skills/runtime/fetch'
import { toNodeHandler } from '@modelcontextprotocol/node'
import skills from 'virtual:skills'

const server = createServer(toNodeHandler(serveSkills(skills, { name: 'stock', version: '1.0.0' })))
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/`)
})
