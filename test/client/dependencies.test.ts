import type { DependencyRequest, SkillHostOptions, UnloadedSkill } from '@embed-skills/client'
import { DependenciesRefusedError, SkillHost } from '@embed-skills/client'
import { expect, test } from 'vitest'
import { connect, entryOf, RawServer, skillMd } from './support/servers.ts'

function needing(name: string, dependencies: string[]): ConstructorParameters<typeof RawServer>[0] {
  const files = [skillMd(name, { dependencies: `[${dependencies.join(', ')}]` })]
  return [{ entry: entryOf(name, files, { dependencies }), files }]
}

const skills = [
  ...needing('one', ['db', 'mail'])!,
  ...needing('two', ['db', 'known'])!,
  ...needing('three', ['db'])!,
]

async function hostOf(options: SkillHostOptions): Promise<SkillHost> {
  const host = new SkillHost({ onApprovalRequired: () => true, ...options })
  await host.addServer('acme', await connect(new RawServer(skills).fetch))
  await host.addServer('known', await connect(new RawServer().fetch))
  return host
}

const ref = (name: string): { server: string; uri: string } => ({
  server: 'acme',
  uri: `skill://${name}/SKILL.md`,
})

test('S6: servers are connected for the skills that need them, and released when none does', async () => {
  const requests: DependencyRequest[] = []
  const unloaded: UnloadedSkill[] = []
  const host = await hostOf({
    onDependenciesRequired: (request) => requests.push(request) > 0,
    onSkillUnloaded: (skill) => void unloaded.push(skill),
  })
  // At once: the same server is asked for once.
  await Promise.all(['one', 'two', 'three'].map((name) => host.load(ref(name))))
  expect(requests.flatMap(({ servers }) => servers).toSorted()).toEqual(['db', 'mail'])
  for (const name of ['one', 'three', 'two']) await host.unload(ref(name))
  // What the host had connected by itself is not the skills' to release.
  expect(unloaded.map(({ releasedServers }) => releasedServers)).toEqual([['mail'], [], ['db']])
  await host.load(ref('three'))
  expect(requests.at(-1)).toEqual({ skill: ref('three'), servers: ['db'] })
})

const refusals: [string, SkillHostOptions['onDependenciesRequired']][] = [
  ['no callback', undefined],
  ['false', () => false],
  ['an error', () => Promise.reject(new Error('down'))],
]

test.each(refusals)('S6: %s aborts the load', async (_, onDependenciesRequired) => {
  const host = await hostOf(onDependenciesRequired ? { onDependenciesRequired } : {})
  const failed = host.load(ref('one'))
  await expect(failed).rejects.toBeInstanceOf(DependenciesRefusedError)
  await expect(failed).rejects.toMatchObject({ code: 'dependencies-refused', servers: ['db', 'mail'] })
  expect(host.acting).toBe(false)
})

test('S6: nothing is connected for a skill that is not approved, nor for one that does not verify', async () => {
  const requests: DependencyRequest[] = []
  const options: SkillHostOptions = { onDependenciesRequired: (request) => requests.push(request) > 0 }
  const host = await hostOf({ ...options, onApprovalRequired: () => false })
  await expect(host.load(ref('one'))).rejects.toMatchObject({
    code: 'approval-required',
    request: { reason: 'dependencies', dependencies: ['db', 'mail'] },
  })

  const lying = new RawServer(skills)
  lying.answers['resources/read'] = ({ uri }) => ({ contents: [{ uri, text: 'x' }] })
  const other = new SkillHost({ ...options, onApprovalRequired: () => true })
  await other.addServer('acme', await connect(lying.fetch))
  await expect(other.load(ref('one'))).rejects.toMatchObject({ reason: 'size' })
  expect(requests).toEqual([])
})

test('S6: a server is not let go while another skill that needs it is being loaded', async () => {
  const server = new RawServer([
    ...needing('first', ['tracker'])!,
    ...needing('second', ['tracker', 'mail'])!,
  ])
  const released: string[] = []
  const waiting = Promise.withResolvers<void>()
  const connected = Promise.withResolvers<void>()
  const host = new SkillHost({
    onApprovalRequired: () => true,
    async onDependenciesRequired({ servers }) {
      if (!servers.includes('mail')) return true
      expect(servers).toEqual(['mail'])
      waiting.resolve()
      await connected.promise
      return true
    },
    onSkillUnloaded: ({ releasedServers }) => void released.push(...releasedServers),
  })
  await host.addServer('acme', await connect(server.fetch))
  await host.load({ server: 'acme', uri: 'skill://first/SKILL.md' })
  const second = host.load({ server: 'acme', uri: 'skill://second/SKILL.md' })
  await waiting.promise
  await host.unload({ server: 'acme', uri: 'skill://first/SKILL.md' })
  expect(released).toEqual([])
  connected.resolve()
  await second
  await host.unload({ server: 'acme', uri: 'skill://second/SKILL.md' })
  expect(released.sort()).toEqual(['mail', 'tracker'])
})

test('S6: what a refused load was the last to need is released', async () => {
  const [first] = needing('first', ['tracker'])!
  const [second] = needing('second', ['tracker', 'mail'])!
  const released: string[][] = []
  const host: SkillHost = new SkillHost({
    onApprovalRequired: () => true,
    async onDependenciesRequired({ servers }) {
      if (!servers.includes('mail')) return true
      await host.unload({ server: 'acme', uri: first!.entry.uri })
      return false
    },
    onSkillUnloaded: ({ releasedServers }) => void released.push([...releasedServers]),
  })
  await host.addServer('acme', await connect(new RawServer([first!, second!]).fetch))
  await host.load({ server: 'acme', uri: first!.entry.uri })
  await expect(host.load({ server: 'acme', uri: second!.entry.uri })).rejects.toMatchObject({
    code: 'dependencies-refused',
  })
  expect(released).toEqual([[], ['tracker']])
})
