import path from 'node:path'
import type { CompiledSkill } from '@embed-skills/compiler'
import { compile } from '@embed-skills/compiler'
import { serveSkills } from '@embed-skills/runtime/fetch'
import type { Skill, SkillCatalog } from '@embed-skills/runtime'
import { createCatalog, ProtocolError } from '@embed-skills/runtime'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { describe, expect, test } from 'vitest'
import { importSkills } from '../support/modules.ts'
import { inspect } from './checks.ts'
import { listen } from './start.ts'

const info = { name: 'test', version: '1.0.0' }
const root = path.join(import.meta.dirname, '../../playground/worker')
const { skills } = await compile(['skills/code-review'], { root })
const catalog = createCatalog(await importSkills(skills))
const [{ uri, files }] = skills as [CompiledSkill]
const target = files[1]!.uri

/** The same catalog with other entries. */
function withEntry(change: (skill: Skill) => Skill): SkillCatalog {
  return {
    ...catalog,
    list: async (params, context) => {
      const result = await catalog.list(params, context)
      return { ...result, skills: result.skills.map(change) }
    },
    get: async (params, context) => ({ skill: change((await catalog.get(params, context)).skill) }),
  }
}

/** The same catalog with another file. */
function withFile(change: (text: string) => string): SkillCatalog {
  return {
    ...catalog,
    read: async (params, context) => {
      const result = await catalog.read(params, context)
      if (params.uri !== target) return result
      const [contents] = result.contents as [{ uri: string; text: string }]
      return { contents: [{ ...contents, text: change(contents.text) }] }
    },
  }
}

const mutations: Record<string, SkillCatalog> = {
  'other bytes of the same length': withFile((text) => `${text.slice(0, -1)}\u0001`),
  'a byte more': withFile((text) => `${text} `),
  'another size in the entry': withEntry((skill) => ({
    ...skill,
    resources: (skill.resources as any[]).map((file) =>
      file.uri === target ? { ...file, size: file.size + 1 } : file,
    ),
  })),
  'another digest in the entry': withEntry((skill) => ({
    ...skill,
    resources: (skill.resources as any[]).map((file) =>
      file.uri === target ? { ...file, digest: `sha256:${'0'.repeat(64)}` } : file,
    ),
  })),
  'a file that is missing': {
    ...catalog,
    read: (params, context) => {
      if (params.uri === target) throw new ProtocolError(-32602, 'Gone')
      return catalog.read(params, context)
    },
  },
  'other frontmatter than in the file': withEntry((skill) => ({
    ...skill,
    frontmatter: { ...skill.frontmatter, description: 'Something else.' },
  })),
}

/** Whether the checks that the other tests rely on find nothing wrong. */
async function isClean(served: SkillCatalog): Promise<{ client: boolean; inspector: boolean }> {
  const running = await listen(serveSkills(served, info))
  const client = new Client(info, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(running.url)))
  const reader = new SkillsClient(client)
  const read = async (): Promise<boolean> => {
    const { skill } = await reader.get(uri)
    for (const file of skill.resources as { uri: string }[])
      if (!(await reader.read(skill, file.uri)).verified) return false
    return true
  }
  const clean = await read().catch(() => false)
  await client.close()
  const { code } = await inspect(running.url, 'modern')
  await running.close()
  return { client: clean, inspector: code === 0 }
}

describe('what the checks must notice', () => {
  test('nothing, where nothing is wrong', async () => {
    expect(await isClean(catalog)).toEqual({ client: true, inspector: true })
  })
  test.each(Object.entries(mutations))('%s', async (_, served) => {
    expect(await isClean(served)).toEqual({ client: false, inspector: false })
  })
})
