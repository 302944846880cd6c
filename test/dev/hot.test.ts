/** A long-lived server in Vite dev: it takes a hot update of the set, keeps its connections, and tells its clients. */
import type { CompiledSkills, SkillSource } from '@embed-skills/runtime'
import { joinSkills } from '@embed-skills/runtime'
import { attachSkills } from '@embed-skills/runtime/mcp'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { McpServer } from '@modelcontextprotocol/server'
import embedSkills from 'unplugin-embed-skills/vite'
import type { RunnableDevEnvironment } from 'vite'
import { createServer } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { saved } from '../support/eventually.ts'
import { info } from '../support/servers.ts'
import { skillMd, writeTree } from '../support/tree.ts'
import { FILES } from './project.ts'

interface Live {
  current: CompiledSkills
  onChange: () => void
}

/** What an app writes: it accepts the set, so that a change of it starts nothing anew. */
const ENTRY = `
import skills from 'virtual:skills'
export const live = { current: skills, onChange() {} }
import.meta.hot.accept('virtual:skills', (module) => {
  live.current = module.default
  live.onChange()
})
`

test('connected clients hear of a change, and read what is new over the same connection', async () => {
  const root = writeTree({ ...FILES, 'entry.js': ENTRY })
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [embedSkills('skills/*')],
    server: { middlewareMode: true },
    optimizeDeps: { noDiscovery: true },
  })
  onTestFinished(() => server.close())
  const { runner } = server.environments.ssr as RunnableDevEnvironment
  const { live } = (await runner.import('/entry.js')) as { live: Live }

  const mcp = new McpServer(info, { capabilities: { resources: { listChanged: true } } })
  attachSkills(
    mcp,
    delegate(() => joinSkills(live.current)),
  )
  const announced: string[][] = []
  const client = new Client(info)
  live.onChange = () => mcp.sendResourceListChanged()
  client.setNotificationHandler('notifications/resources/list_changed', async () => {
    const { skills } = await new SkillsClient(client).list()
    announced.push(skills.map(({ uri }) => uri))
  })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([mcp.connect(ours), client.connect(theirs)])
  onTestFinished(() => client.close())

  await saved(root, 'skills/third/SKILL.md', skillMd('third'), async () => {
    expect(announced.at(-1)).toContain('skill://third/SKILL.md')
  })
  const edited = `${skillMd('third')}More.\n`
  await saved(root, 'skills/third/SKILL.md', edited, async () => {
    const reader = new SkillsClient(client)
    const { skill } = await reader.get('skill://third/SKILL.md')
    const { bytes, verified } = await reader.read(skill, skill.uri)
    expect([verified, Buffer.from(bytes).toString()]).toEqual([true, edited])
  })
  expect(((await runner.import('/entry.js')) as { live: Live }).live).toBe(live)
})

/** A source that is whatever another is at the time. */
function delegate(current: () => SkillSource): SkillSource {
  return {
    list: (after, limit, context) => current().list(after, limit, context),
    get: (uri, context) => current().get(uri, context),
    read: (uri, context) => current().read(uri, context),
    readDirectory: (uri, context) => current().readDirectory(uri, context),
  }
}
