import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SkillHostOptions } from '@embed-skills/client'
import { memoryApprovals, SkillHost } from '@embed-skills/client'
import {
  approvalsFile,
  boundedFetch,
  createSkillHost,
  diskCache,
  fileApprovals,
} from '@embed-skills/client/node'
import { expect, test, vi } from 'vitest'
import { filesBelow, temporaryFolder } from './support/folders.ts'
import { together } from './support/together.ts'
import { connect, rawSkill, RawServer } from './support/servers.ts'

const skill = rawSkill('refunds', [{ path: 'a.bin', bytes: Uint8Array.from([0, 255, 10]) }])
const ref = { server: 'acme', uri: 'skill://refunds/SKILL.md' }
const identity = 'https://acme.example'

async function hostOf(server: RawServer, folder: string, options = { identity }): Promise<SkillHost> {
  const host = new SkillHost({ cache: diskCache(folder) })
  await host.addServer('acme', await connect(server.fetch), options)
  return host
}

test('N18: what was read once is read from disk, by the next process too', async () => {
  const folder = await temporaryFolder()
  const server = new RawServer([skill])
  const first = await hostOf(server, folder)
  const loaded = await first.load(ref)
  await first.readFile(ref, 'a.bin')
  const second = await hostOf(server, folder)
  expect(await second.load(ref)).toEqual(loaded)
  expect(await second.readFile(ref, 'a.bin')).toMatchObject({ bytes: skill.files[1]!.bytes, verified: true })
  expect(server.count('resources/read')).toBe(2)
})

test('N18: a cached file that was changed is not used, whatever was changed in it', async () => {
  const folder = await temporaryFolder()
  const server = new RawServer([skill])
  await (await hostOf(server, folder)).load(ref)
  const [file] = Object.keys(await filesBelow(folder))
  const at = path.join(folder, file!)
  const kept = await readFile(at, 'utf8')
  for (const [index, evil] of [kept.replace('Body', 'Evil'), `${kept}\n`, 'nonsense', ''].entries()) {
    await writeFile(at, evil)
    expect((await (await hostOf(server, folder)).load(ref)).body).toBe('\nBody\n'.trimStart())
    expect(server.count('resources/read')).toBe(index + 2)
    // It was put right again.
    expect(await readFile(at, 'utf8')).toBe(kept)
  }
})

test('N18: an entry with other frontmatter is refused with the cached file as with the served one', async () => {
  const folder = await temporaryFolder()
  const server = new RawServer([skill])
  await (await hostOf(server, folder)).load(ref)
  const frontmatter = { ...skill.entry.frontmatter, description: 'Harmless' }
  server.serve([{ entry: { ...skill.entry, frontmatter }, files: skill.files }])
  const host = await hostOf(server, folder)
  await expect(host.load(ref)).rejects.toMatchObject({ reason: 'frontmatter' })
})

test('S5: connections are kept apart, and removing a server removes its part', async () => {
  const folder = await temporaryFolder()
  const server = new RawServer([skill])
  const host = await hostOf(server, folder)
  await host.load(ref)
  await (await hostOf(server, folder, { identity: 'https://other.example' })).load(ref)
  expect(server.count('resources/read')).toBe(2)
  expect(await readdir(folder)).toHaveLength(2)
  expect((await readdir(folder)).every((name) => name.startsWith('acme~'))).toBe(true)
  await host.removeServer('acme')
  expect(await readdir(folder)).toHaveLength(1)
})

test('N18: old digests of a live server go when there are too many bytes, least lately used first', async () => {
  const folder = await temporaryFolder()
  const cache = diskCache(folder, { maxBytes: 4000 })
  const keyOf = (digit: number): Parameters<typeof cache.get>[0] => {
    return { server: 'acme', identity, skill: ref.uri, digest: `sha256:${`${digit}`.repeat(64)}` }
  }
  const fileOf = async (digit: number): Promise<string> => {
    const server = (await readdir(folder)).find((name) => name.startsWith('acme~'))
    const [of] = await readdir(path.join(folder, server!))
    return path.join(folder, server!, of!, `${digit}`.repeat(64))
  }
  const bytes = new Uint8Array(900)
  await writeFile(path.join(folder, 'z-of-others.bin'), new Uint8Array(9000))
  for (const digit of [1, 2, 3, 4]) {
    await cache.set(keyOf(digit), { bytes })
    await utimes(await fileOf(digit), digit, digit)
  }
  // The oldest is used again, which makes the second the oldest.
  expect(await cache.get(keyOf(1))).toMatchObject({ bytes: Buffer.from(bytes) })
  await cache.set(keyOf(5), { bytes })
  const kept = async (): Promise<string[]> =>
    (await filesBelow(folder).then(Object.keys)).map((file) => path.basename(file)[0]!)
  expect(await kept()).toEqual(['1', '4', '5', 'z'])

  // Another process begins with what is there; a file that is too large by itself is not kept at all.
  await diskCache(folder, { maxBytes: 500 }).set(keyOf(6), { bytes })
  expect(await readdir(folder)).toEqual(['z-of-others.bin'])
})

test('N18: without an identity nothing is cached', async () => {
  const folder = await temporaryFolder()
  const host = new SkillHost({ cache: diskCache(folder) })
  await host.addServer('acme', await connect(new RawServer([skill]).fetch))
  await host.load(ref)
  expect(await readdir(folder)).toEqual([])
})

test('N18: a cache does not live where agents look for skills', async () => {
  const root = await temporaryFolder()
  await mkdir(path.join(root, '.claude/skills'), { recursive: true })
  await symlink(path.join(root, '.claude/skills'), path.join(root, 'plain'))
  for (const folder of ['.claude/skills', '.claude/skills/cache', '.github/Skills', 'plain/x'])
    expect(() => diskCache(path.join(root, folder))).toThrow('cannot be a cache')
  for (const folder of ['.cache/skills', 'skills', '.claude/cache'])
    expect(() => diskCache(path.join(root, folder))).not.toThrow()
})

test('N18: approvals outlive the process, for their owner alone', async () => {
  const file = path.join(await temporaryFolder(), 'deep/approvals.json')
  const server = new RawServer([skill, rawSkill('billing')])
  const hosts = await Promise.all(
    [1, 2].map(async () => {
      const host = new SkillHost({ approvals: fileApprovals(file) })
      await host.addServer('acme', await connect(server.fetch), { identity })
      return host
    }),
  )
  const skills = await hosts[0]!.skills()
  await Promise.all(skills.map((skill) => hosts[0]!.approve(skill, { allowedTools: true })))
  for (const skill of skills)
    expect(await hosts[1]!.approval(skill)).toEqual({ state: 'approved', allowedTools: true })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(path.dirname(file))).toEqual(['approvals.json'])
  await hosts[1]!.revoke(skills[0]!)
  expect(await hosts[0]!.approval(skills[0]!)).toEqual({ state: 'none' })
})

test('N18: on Node, approvals are in a file of the user by default, one for each program', async () => {
  const config = await temporaryFolder()
  vi.stubEnv('XDG_CONFIG_HOME', config)
  const server = new RawServer([skill])
  const start = async (name: string, options: SkillHostOptions = {}): Promise<SkillHost> => {
    const host = createSkillHost(name, options)
    await host.addServer('acme', await connect(server.fetch), { identity })
    return host
  }
  try {
    const first = await start('my-host')
    expect(await first.approval(ref)).toEqual({ state: 'none' })
    expect(await readdir(config)).toEqual([])
    await first.approve(ref)
    expect(approvalsFile('my-host')).toBe(path.join(config, 'my-host/skill-approvals.json'))
    expect(await filesBelow(config)).toEqual({
      'my-host/skill-approvals.json': expect.stringContaining(ref.uri),
    })
    expect(await (await start('my-host')).approval(ref)).toMatchObject({ state: 'approved' })
    expect(await (await start('other-host')).approval(ref)).toEqual({ state: 'none' })
    const elsewhere = await start('my-host', { approvals: memoryApprovals() })
    expect(await elsewhere.approval(ref)).toEqual({ state: 'none' })
    for (const name of ['', '..', 'a/b', '.hidden']) expect(() => createSkillHost(name)).toThrow(TypeError)
  } finally {
    vi.unstubAllEnvs()
  }
})

test('N18: two processes that approve at the same moment both have all that they approved', async () => {
  const file = path.join(await temporaryFolder(), 'approvals.json')
  const source = `
    import { fileApprovals } from '@embed-skills/client/node'
    const [file, server] = args
    const store = fileApprovals(file)
    await begin()
    for (let at = 0; at < 30; at++)
      await store.set({ server, identity: 'x', uri: 'skill://' + at }, { files: {}, frontmatter: '', allowedTools: false })
    for (let at = 0; at < 10; at++) await store.delete({ server, identity: 'x', uri: 'skill://' + at })
  `
  expect(
    await together(source, [
      [file, 'one'],
      [file, 'two'],
    ]),
  ).toEqual([0, 0])
  const { approvals } = JSON.parse(await readFile(file, 'utf8')) as { approvals: { server: string }[] }
  const countOf = (name: string): number => approvals.filter(({ server }) => server === name).length
  expect([countOf('one'), countOf('two')]).toEqual([20, 20])
  expect(await readdir(path.dirname(file))).toEqual(['approvals.json'])
})

test('N18: a file that holds no approvals is neither trusted nor overwritten', async () => {
  const file = path.join(await temporaryFolder(), 'approvals.json')
  const row = { server: 'acme', identity, uri: ref.uri, files: {}, frontmatter: '', allowedTools: false }
  const rows = [
    null,
    1,
    {},
    { ...row, files: 1 },
    { ...row, files: { x: 1 } },
    { ...row, allowedTools: 'yes' },
  ].map((row) => JSON.stringify({ version: 1, approvals: [row] }))
  for (const text of ['{', '[]', 'null', '{"version":2,"approvals":[]}', ...rows]) {
    await writeFile(file, text)
    const host = new SkillHost({ approvals: fileApprovals(file) })
    await host.addServer('acme', await connect(new RawServer([skill]).fetch), { identity })
    await expect(host.approve(ref)).rejects.toThrow('Move it away')
    await expect(host.load(ref)).rejects.toThrow('Move it away')
    expect(await readFile(file, 'utf8')).toBe(text)
  }
})

test('N18: an answer without an end is cut off', async () => {
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1000)),
  })
  const fetch = boundedFetch(10_000, async () => new Response(endless))
  const response = await fetch('http://localhost/', { method: 'POST' })
  await expect(response.text()).rejects.toThrow('more than 10000 bytes')
})

test('N18: the pages of a listing are bounded together, and other answers each by itself', async () => {
  for (const type of ['application/json', 'text/event-stream']) {
    const answer = (): Response => new Response('x'.repeat(400), { headers: { 'content-type': type } })
    const fetch = boundedFetch(1000, async () => answer())
    const ask = async (method: string, params?: object): Promise<string> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      return (await fetch('http://localhost/', { method: 'POST', body })).text()
    }
    for (const _ of [1, 2]) {
      await ask('skills/list')
      await ask('skills/list', { cursor: '1' })
      await ask('resources/directory/read', { uri: 'skill://a' })
      await expect(ask('skills/list', { cursor: '2' })).rejects.toThrow('in the pages of a listing')
      // However often it is tried.
      await expect(ask('skills/list', { cursor: '2' })).rejects.toThrow('in the pages of a listing')
    }
    for (let at = 0; at < 5; at++)
      expect(await ask('resources/read', { uri: '"skills/list"' })).toHaveLength(400)
  }
})

test('N18: a stream of events may be long, one of its events may not', async () => {
  const encoder = new TextEncoder()
  const stream = (texts: Iterable<string>): typeof fetch => {
    const iterator = texts[Symbol.iterator]()
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const { done, value } = iterator.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
    })
    const headers = { 'content-type': 'text/event-stream; charset=utf-8' }
    return async () => new Response(body, { headers })
  }
  for (const end of ['\n\n', '\r\r', '\r\n\r\n']) {
    const events = Array.from({ length: 100 }, () => `data: ${'x'.repeat(90)}${end}`)
    const fetch = boundedFetch(110, stream(events))
    expect(await (await fetch('http://localhost/')).text()).toBe(events.join(''))
    const one = boundedFetch(110, stream(Array(100).fill(`data: x${end.slice(end.length / 2)}`)))
    await expect((await one('http://localhost/')).text()).rejects.toThrow('more than 110 bytes')
  }
})
