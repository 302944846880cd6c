/** The core runs wherever the official client does; only `./node` needs Node. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { startWorker } from './support/worker.ts'

const dist = path.join(import.meta.dirname, '../node_modules/@embed-skills/client/dist')

test.each(['index.js', 'ai.js'])(
  'N18: %s reaches no module of Node, and no package but those it says',
  async (entry) => {
    const external: string[] = []
    const bundle = await rolldown({
      input: path.join(dist, entry),
      external: (id) => (/^[./]/.test(id) ? undefined : (external.push(id), true)),
    })
    await bundle.generate()
    expect([...new Set(external)].toSorted()).toEqual(
      entry === 'ai.js'
        ? ['@modelcontextprotocol/client/ext/skills', 'ai']
        : ['@modelcontextprotocol/client', '@modelcontextprotocol/client/ext/skills'],
    )
    expect(await readFile(path.join(dist, entry), 'utf8')).not.toMatch(/\bprocess\.|\bBuffer\b/)
  },
)

test('N18: a host runs in workerd: it lists, verifies, caches and loads', { timeout: 120_000 }, async () => {
  const worker = await startWorker(`
    import { SkillHost, skillTools, verifyServer } from '@embed-skills/client'
    import { serveSkills } from '@embed-skills/runtime/fetch'
    import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
    import skills from 'virtual:skills'

    const server = serveSkills(skills, { name: 'acme', version: '1.0.0' })
    export default {
      async fetch() {
        const client = new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode: 'auto' } })
        const fetch = (url, init) => server.fetch(new Request(url, init))
        await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/'), { fetch }))
        const kept = new Map()
        const cache = {
          get: async ({ digest }) => kept.get(digest),
          set: async ({ digest }, file) => void kept.set(digest, file),
          purge: async () => kept.clear(),
        }
        const host = new SkillHost({ cache })
        await host.addServer('acme', client, { identity: 'here' })
        const [load] = skillTools(host)
        const input = { server: 'acme', skill: 'code-review' }
        const loads = [await load.execute(input), await load.execute(input)]
        const { problems } = await verifyServer(client)
        return Response.json({ loads, kept: kept.size, problems })
      },
    }
  `)
  try {
    const { loads, kept, problems } = (await (await fetch(worker.url)).json()) as Record<string, unknown>
    const loaded = {
      content: [{ type: 'text', text: expect.stringContaining('<skill_content name="code-review"') }],
    }
    expect({ loads, kept, problems }).toEqual({ loads: [loaded, loaded], kept: 1, problems: [] })
  } finally {
    await worker.close()
  }
})
