import { serveSkills } from '@embed-skills/runtime/fetch'
import { attachSkills } from '@embed-skills/runtime/mcp'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { loadSkills } from '@modelcontextprotocol/server/ext/skills/node'
import skills from 'virtual:skills'
import { requestFor } from './requests.ts'

interface Server {
  fetch(request: Request): Promise<Response>
}

const info = { name: 'bench', version: '1.0.0' }
const [folder, rounds, milliseconds] = [process.argv[2]!, Number(process.argv[3]), Number(process.argv[4])]
const extension = await loadSkills(folder)

const servers: Record<string, Server> = {
  serveSkills: serveSkills(skills, info),
  'attachSkills, official v2': createMcpHandler(() => {
    const server = new McpServer(info)
    attachSkills(server, skills)
    return server
  }),
  'official extension': createMcpHandler(() => {
    const server = new McpServer(info)
    extension.attach(server)
    return server
  }),
}

const uri = 'skill://skill-0050/SKILL.md'
const requests = {
  list: requestFor('skills/list'),
  get: requestFor('skills/get', { uri }),
  read: requestFor('resources/read', { uri }),
}

/** Run with `--expose-gc`: nobody pays for the garbage of the one before. */
const collectGarbage = (globalThis as { gc?: () => void }).gc!

async function rate({ fetch }: Server, request: () => Request): Promise<number> {
  collectGarbage()
  const start = performance.now()
  let count = 0
  for (; performance.now() - start < milliseconds; count++) await (await fetch(request())).text()
  return (count / (performance.now() - start)) * 1000
}

const results: Record<string, Record<string, number>> = {}
for (const [name, request] of Object.entries(requests)) {
  const answer = (await (await servers['serveSkills']!.fetch(request())).text()).slice(0, -1)
  const constant: Server = {
    async fetch(received) {
      await received.json()
      // Joined anew: V8 encodes a long string that has lived for a while more slowly than a fresh one.
      return new Response(`${answer}}`, { headers: { 'content-type': 'application/json' } })
    },
  }
  const measured = Object.entries({ 'constant handler': constant, ...servers }).map(([server, handler]) => ({
    server,
    handler,
    rates: [] as number[],
  }))
  // The first round warms up; the others are interleaved, so that all meet the same machine.
  for (let round = 0; round <= rounds; round++)
    for (const { handler, rates } of measured) {
      const measuredRate = await rate(handler, request)
      if (round > 0) rates.push(measuredRate)
    }
  for (const { server, rates } of measured)
    (results[server] ??= {})[name] = rates.toSorted((a, b) => a - b)[rates.length >> 1]!
}
console.log(JSON.stringify(results))
