import { parseLock, verifyServer } from '@embed-skills/client'
import { compile, formatLock, lockOf } from '@embed-skills/compiler'
import type { Skill, SkillCatalog } from '@embed-skills/runtime'
import { attachSkills } from '@embed-skills/runtime/mcp'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import {
  connect,
  digestOf,
  entryOf,
  info,
  officialServer,
  rawSkill,
  RawServer,
  skillMd,
} from './support/servers.ts'
import { writeTree } from '../support/tree.ts'

const skill = rawSkill('refunds', [{ path: 'references/Q&A.md', text: 'Q' }])

test.each(['auto', 'legacy'] as const)('X6: a real server is as it says (%s)', async (mode) => {
  const fetch = await officialServer(['skills/**', { from: 'billing/*', prefix: 'acme/billing' }])
  const { skills, problems } = await verifyServer(await connect(fetch, { versionNegotiation: { mode } }))
  expect(problems).toEqual([])
  expect(skills.length).toBeGreaterThan(5)
  expect(skills.every(({ files, bytes }) => files > 0 && bytes > 0)).toBe(true)
})

test('X6: each file, field and digest that differs is named', async () => {
  const long = { path: 'long.md', text: 'long' }
  const { entry, files } = rawSkill('refunds', [...skill.files.slice(1), long, { path: 'gone.md', text: '' }])
  const lying = rawSkill('lying')
  const server = new RawServer([
    { entry, files },
    {
      entry: { ...lying.entry, frontmatter: { ...lying.entry.frontmatter, license: 'MIT' } },
      files: lying.files,
    },
    { entry: entryOf('Bad_Name', [skillMd('Bad_Name')]), files: [] },
  ])
  const read = server.answers['resources/read']!
  server.answers['resources/read'] = async (params) => {
    const uri = String(params['uri'])
    if (uri.endsWith('Q%26A.md')) return { contents: [{ uri, text: 'X' }] }
    if (uri.endsWith('long.md')) return { contents: [{ uri, text: 'longer' }] }
    if (uri.endsWith('gone.md')) return read({ uri: 'nothing' })
    return read(params)
  }
  const get = server.answers['skills/get']!
  server.answers['skills/get'] = async (params) => {
    if (!String(params['uri']).includes('lying')) return get(params)
    return { skill: lying.entry }
  }
  server.answers['resources/directory/read'] = ({ uri }) => ({
    resources: uri === 'skill://refunds' ? [{ uri: 'skill://refunds/more.md', name: 'more.md' }] : [],
  })
  const { problems } = await verifyServer(await connect(server.fetch))
  const found = problems.map(({ skill, file, field }) => [skill.split('/')[2], file, field])
  expect(found).toEqual([
    ['Bad_Name', undefined, 'entry'],
    ['refunds', 'references/Q&A.md', 'digest'],
    ['refunds', 'long.md', 'size'],
    ['refunds', 'gone.md', 'read'],
    ['refunds', 'more.md', 'directory'],
    ...files.map(({ path }) => ['refunds', path, 'directory']),
    ['lying', undefined, 'get'],
    ['lying', 'SKILL.md', 'frontmatter'],
    ['lying', 'SKILL.md', 'directory'],
  ])
  const digest = problems.find(({ field }) => field === 'digest')!
  expect(digest.message).toContain(digestOf(Buffer.from('X')))
  expect(digest.message).toContain(digestOf(Buffer.from('Q')))
})

test('X6: a lock says what should have been deployed', async () => {
  const server = new RawServer([skill, rawSkill('extra')])
  const files = {
    'SKILL.md': digestOf(Buffer.from(skill.files[0]!.text!)),
    'references/Q&A.md': 'sha256:0',
    'c.md': 'sha256:1',
  }
  const lock = parseLock(JSON.stringify({ version: 1, skills: { refunds: files, 'acme/lost': {} } }))
  const { problems } = await verifyServer(await connect(server.fetch), { lock })
  expect(problems.filter(({ field }) => field === 'lock')).toEqual([
    {
      skill: 'skill://refunds/SKILL.md',
      file: 'references/Q&A.md',
      field: 'lock',
      message: `the server has ${digestOf(Buffer.from('Q'))}, the lock sha256:0`,
    },
    {
      skill: 'skill://refunds/SKILL.md',
      file: 'c.md',
      field: 'lock',
      message: 'it is in the lock and not served',
    },
    { skill: 'skill://extra/SKILL.md', field: 'lock', message: 'the lock has no such skill' },
    { skill: 'acme/lost', field: 'lock', message: 'it is in the lock and not served' },
  ])
})

test('X6: a lock is read as `embed-skills lock` writes it', async () => {
  const { skills, templates } = await compile('skills/*', {
    root: writeTree({
      'skills/refunds/SKILL.md': skillMd('refunds').text!,
      'skills/refunds/__proto__/files': 'a',
      'skills/mail/SKILL.md.eta': skillMd('mail').text!,
    }),
  })
  const lock = lockOf([...skills, ...templates])
  expect(Object.keys(lock.templates!)).toEqual(['mail'])
  expect(parseLock(formatLock(lock))).toEqual(JSON.parse(formatLock(lock)))
})

test('X6: skills that no build made can be left out of the comparison', async () => {
  const live = rawSkill('live')
  const server = new RawServer([skill, { ...live, entry: { ...live.entry, resources: 'dynamic' } }])
  const files = Object.fromEntries(skill.files.map(({ path, text }) => [path, digestOf(Buffer.from(text!))]))
  const lock = { version: 1, skills: { refunds: files } } as const
  const client = await connect(server.fetch)
  expect((await verifyServer(client, { lock })).problems).toMatchObject([
    { skill: live.entry.uri, field: 'lock', message: 'the lock has no such skill' },
  ])
  expect((await verifyServer(client, { lock, ignoreUnlocked: true })).problems).toEqual([])
  const both = { ...lock, skills: { ...lock.skills, live: {} } }
  expect((await verifyServer(client, { lock: both, ignoreUnlocked: true })).problems).toMatchObject([
    { skill: live.entry.uri, field: 'lock', message: 'it is dynamic: the lock cannot be compared' },
  ])
})

test.each([
  '',
  '[]',
  '{"version":2}',
  '{"version":1,"skills":{"a":{"files":{}}}}',
  '{"version":1,"skills":{"a":[]}}',
  '{"version":1,"skills":{},"templates":[]}',
  '{"version":1,"skills":[]}',
])('X6: %j is no lock', (text) => {
  expect(() => parseLock(text)).toThrow('embed-skills lock')
})

test('X6: what is verified is what is served now, not what the client remembers', async () => {
  const handler = createMcpHandler(() => {
    const server = new McpServer(info)
    attachSkills(server, {
      cacheHints: { ttlMs: 60_000, cacheScope: 'private' },
      list: async () => ({ skills: [skill.entry as Skill] }),
      get: async () => ({ skill: skill.entry as Skill }),
      resources: async () => ({ resources: [] }),
      read: async ({ uri }: { uri: string }) => {
        const file = skill.entry.resources as { uri: string }[]
        const at = file.findIndex((listed) => listed.uri === uri)
        return { contents: [{ uri, text: wrong ? 'evil' : skill.files[at]!.text! }] }
      },
    } as SkillCatalog)
    return server
  })
  let wrong = false
  const client = await connect((request) => handler.fetch(request))
  expect(client.getProtocolEra()).toBe('modern')
  expect((await verifyServer(client)).problems).toEqual([])
  wrong = true
  expect((await verifyServer(client)).problems).toHaveLength(2)
  await handler.close()
})

test('X6: a size that skills/get gives otherwise is a difference', async () => {
  const server = new RawServer([skill])
  const [main, ...files] = skill.entry.resources as { uri: string; digest: string; size: number }[]
  server.answers['skills/get'] = () => ({
    skill: { ...skill.entry, resources: [main, ...files.map((file) => ({ ...file, size: file.size + 1 }))] },
  })
  expect((await verifyServer(await connect(server.fetch))).problems).toEqual([
    {
      skill: skill.entry.uri,
      file: 'references/Q&A.md',
      field: 'get',
      message: expect.stringContaining('2 bytes'),
    },
  ])
})

test('X6: a lock may spell its digests in either case', async () => {
  const files = Object.fromEntries(
    skill.files.map((file) => [
      file.path,
      `sha256:${digestOf(Buffer.from(file.text!)).slice(7).toUpperCase()}`,
    ]),
  )
  const lock = parseLock(JSON.stringify({ version: 1, skills: { refunds: files } }))
  expect((await verifyServer(await connect(new RawServer([skill]).fetch), { lock })).problems).toEqual([])
})

test('X6: a skill of many files takes as long as its files do', async () => {
  const files = Array.from({ length: 3000 }, (_, at) => ({ path: `f/${at}.md`, text: `${at}` }))
  const server = new RawServer([rawSkill('large', files)])
  const client = await connect(server.fetch)
  const { skills, problems } = await verifyServer(client)
  expect({ problems, files: skills[0]!.files }).toEqual({ problems: [], files: 3001 })
})

test('X6: a skill whose URIs have no end is a difference, and is not gone into', async () => {
  const deep = rawSkill('deep', [{ path: `${'a/'.repeat(20_000)}b.md`, text: 'b' }])
  const server = new RawServer([deep, skill])
  server.answers['resources/directory/read'] = () => ({ resources: [] })
  const { skills, problems } = await verifyServer(await connect(server.fetch))
  expect(skills.map(({ uri }) => uri)).toEqual([skill.entry.uri])
  expect(problems[0]).toMatchObject({ skill: deep.entry.uri, field: 'entry' })
  expect(server.count('resources/directory/read')).toBe(2)
})
