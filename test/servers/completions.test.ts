/* An app whose own templates and prompts complete their arguments, beside the completions of skills. */
import { describe, expect, test } from 'vitest'
import { createCatalog } from '@embed-skills/runtime'
import { attachSkills } from '@embed-skills/runtime/mcp'
import { manifests } from '@embed-skills/runtime/tools'
import {
  McpServer as McpServerV1,
  ResourceTemplate as TemplateV1,
} from '@modelcontextprotocol/sdk/server/mcp.js'
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { info, listen, listenerV1, listenerV2 } from '../support/servers.ts'
import { connect } from '../support/client.ts'

const skills = createCatalog({
  format: 1,
  skills: {
    'skill://refunds/SKILL.md': JSON.stringify([
      { name: 'refunds', description: 'Pays back.' },
      ['SKILL.md', 'text/markdown', 8, '0'.repeat(64), 0, 't0'],
    ]),
  },
  load: () => ({ t0: 'Pay back' }),
})
const features = [manifests()]
const callbacks = { list: undefined, complete: { id: () => ['first', 'second'] } }
const read = async (): Promise<{ contents: [] }> => ({ contents: [] })

function v1(isFirst: boolean): McpServerV1 {
  const server = new McpServerV1(info)
  if (isFirst) attachSkills(server, skills, { features })
  server.registerResource('note', new TemplateV1('notes://{id}', callbacks), {}, read)
  if (!isFirst) attachSkills(server, skills, { features })
  return server
}

function v2(isFirst: boolean): McpServer {
  const server = new McpServer(info)
  if (isFirst) attachSkills(server, skills, { features })
  server.registerResource('note', new ResourceTemplate('notes://{id}', callbacks), {}, read)
  if (!isFirst) attachSkills(server, skills, { features })
  return server
}

describe.each([
  ['v1', (isFirst: boolean) => listenerV1(() => v1(isFirst))],
  ['v2', (isFirst: boolean) => listenerV2(() => v2(isFirst))],
] as const)('%s', (_, listener) => {
  test.each([true, false])('skills attached first: %s', async (isFirst) => {
    await using server = await listen(listener(isFirst))
    await using connection = await connect(server.url, 'legacy')
    const complete = async (uri: string, name: string): Promise<unknown> => {
      const ref = { type: 'ref/resource', uri }
      const { completion } = await connection.request('completion/complete', {
        ref,
        argument: { name, value: '' },
      })
      return (completion as { values: unknown }).values
    }
    expect(await complete('notes://{id}', 'id')).toEqual(['first', 'second'])
    expect(await complete('skill://{name}/{+path}', 'name')).toEqual(['refunds'])
  })
})
