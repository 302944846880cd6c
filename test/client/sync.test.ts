import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { SkillHost } from '@embed-skills/client'
import type { SyncedSkill } from '@embed-skills/client/node'
import { downloadSkill, syncSkills } from '@embed-skills/client/node'
import { expect, test } from 'vitest'
import { listen, listenerOf } from '../support/servers.ts'
import { filesBelow, temporaryFolder } from './support/folders.ts'
import type { RawFile } from './support/servers.ts'
import { together } from './support/together.ts'
import { connect, entryOf, officialServer, rawSkill, RawServer, skillMd } from './support/servers.ts'

type Skills = NonNullable<ConstructorParameters<typeof RawServer>[0]>

async function hostOf(
  skills: Skills,
  identity = 'https://acme.example',
): Promise<{ host: SkillHost; server: RawServer }> {
  const server = new RawServer(skills)
  const host = new SkillHost({ defaultTtlMs: 0 })
  await host.addServer('acme', await connect(server.fetch), { identity })
  return { host, server }
}

const states = (synced: SyncedSkill[]): string[] => synced.map(({ skill, state }) => `${skill.uri} ${state}`)
const refunds = { server: 'acme', uri: 'skill://refunds/SKILL.md' }
const [one, two] = ['one', 'two'].map((text) => ({ path: 'references/a.md', text }))
const gone = { path: 'old/b.md', text: 'b' }

test('S4: every skill of a real server is written byte for byte, nested ones in their place', async () => {
  const to = await temporaryFolder()
  const host = new SkillHost()
  await host.addServer('acme', await connect(await officialServer(['skills/**'])), { identity: 'x' })
  const synced = await syncSkills(host, { to })
  expect(synced.map(({ state }) => state)).toEqual(synced.map(() => 'new'))
  const source = path.join(import.meta.dirname, '../../playground/worker/skills')
  expect(await filesBelow(path.join(to, 'acme'))).toEqual(await filesBelow(source))
  expect(
    (await syncSkills(host, { to })).every(({ state, written }) => state === 'unchanged' && !written),
  ).toBe(true)
})

test('S4: a sync fetches what has changed, keeps what has not, and removes what is gone', async () => {
  const to = await temporaryFolder()
  const { host, server } = await hostOf([rawSkill('refunds', [one!, gone]), rawSkill('billing')])
  await syncSkills(host, { to })
  const kept = path.join(to, 'acme/refunds/SKILL.md')
  await utimes(kept, 1, 1)
  await writeFile(path.join(to, 'acme/refunds/notes.md'), 'mine')

  server.serve([rawSkill('refunds', [two!])])
  const reads = server.count('resources/read')
  const progress: number[] = []
  const synced = await syncSkills(host, { to, onProgress: ({ done }) => progress.push(done) })
  expect(states(synced)).toEqual(['skill://refunds/SKILL.md updated', 'skill://billing/SKILL.md removed'])
  expect(synced[0]).toMatchObject({ written: 1, kept: 1, removed: 1 })
  expect(server.count('resources/read')).toBe(reads + 1)
  expect(progress).toEqual([0, 1])
  expect((await stat(kept)).mtimeMs).toBe(1000)
  expect(Object.keys(await filesBelow(to))).toEqual([
    'acme/refunds/SKILL.md',
    'acme/refunds/notes.md',
    'acme/refunds/references/a.md',
  ])
  expect(await readdir(path.join(to, 'acme'))).toEqual(['refunds'])
})

test('S4: what was written by hand is not overwritten or removed, unless asked for', async () => {
  const to = await temporaryFolder()
  const { host, server } = await hostOf([rawSkill('refunds', [one!, gone])])
  await syncSkills(host, { to })
  for (const file of ['references/a.md', 'old/b.md'])
    await writeFile(path.join(to, 'acme/refunds', file), 'mine')
  server.serve([rawSkill('refunds', [two!])])
  const [failed] = await syncSkills(host, { to })
  expect(failed).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('changed by hand') },
  })
  const [forced] = await syncSkills(host, { to, force: true })
  expect(forced).toMatchObject({
    state: 'updated',
    warnings: [expect.stringContaining('old/b.md was changed by hand')],
  })
  expect(await filesBelow(path.join(to, 'acme/refunds'))).toMatchObject({
    'references/a.md': 'two',
    'old/b.md': 'mine',
  })

  await mkdir(path.join(to, 'acme/billing'), { recursive: true })
  await writeFile(path.join(to, 'acme/billing/SKILL.md'), 'mine')
  server.serve([rawSkill('billing')])
  expect((await syncSkills(host, { to }))[0]).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('not put there by a download') },
  })
})

test('S4: a skill is written whole or not at all', async () => {
  const to = await temporaryFolder()
  const { host, server } = await hostOf([rawSkill('refunds', [one!])])
  await syncSkills(host, { to })
  const before = await filesBelow(to)
  const next = rawSkill('refunds', [two!, { path: 'z.md', text: 'z' }], { body: 'New' })
  server.serve([next])
  const read = server.answers['resources/read']!
  server.answers['resources/read'] = (params) =>
    String(params['uri']).endsWith('z.md') ? { contents: [{ uri: params['uri'], text: 'Z' }] } : read(params)
  expect(await syncSkills(host, { to })).toMatchObject([{ state: 'failed', error: { reason: 'digest' } }])
  expect(await filesBelow(to)).toEqual(before)
})

test('S4: a listing that is partial, or fails, removes nothing', async () => {
  const to = await temporaryFolder()
  const { host, server } = await hostOf([rawSkill('refunds')])
  await syncSkills(host, { to })
  server.answers['skills/list'] = () => ({ skills: [] })
  expect(states(await syncSkills(host, { to }))).toEqual(['skill://refunds/SKILL.md unchanged'])
  server.answers['skills/list'] = () => ({ skills: 1 })
  expect(await syncSkills(host, { to })).toEqual([])
  expect(Object.keys(await filesBelow(to))).toEqual(['acme/refunds/SKILL.md'])
})

test('S4: a folder of another server is not taken over', async () => {
  const to = await temporaryFolder()
  await syncSkills((await hostOf([rawSkill('refunds')])).host, { to })
  const other = await hostOf([rawSkill('refunds', [one!])], 'https://evil.example')
  expect(await syncSkills(other.host, { to })).toMatchObject([
    { state: 'failed', error: { message: expect.stringContaining('https://acme.example') } },
  ])
})

test('S4: downloads into one folder at the same time are all in its manifest', async () => {
  const to = await temporaryFolder()
  const { host } = await hostOf(['refunds', 'billing', 'vat'].map((name) => rawSkill(name)))
  await Promise.all((await host.skills()).map((skill) => downloadSkill(host, skill, { to })))
  const { skills } = JSON.parse(await readFile(path.join(to, '.embed-skills.json'), 'utf8')) as {
    skills: { folder: string }[]
  }
  expect(skills.map(({ folder }) => folder)).toEqual(['acme/billing', 'acme/refunds', 'acme/vat'])
})

const [file, below] = [
  { path: 'x', text: 'a file' },
  { path: 'x/y/z.md', text: 'below' },
]

test('S4: a file becomes a folder, and a folder a file', async () => {
  const to = await temporaryFolder()
  const { host, server } = await hostOf([rawSkill('refunds', [file!])])
  for (const now of [file!, below!, file!]) {
    server.serve([rawSkill('refunds', [now])])
    const [synced] = await syncSkills(host, { to })
    expect(synced).not.toHaveProperty('error')
    const found = await filesBelow(path.join(to, 'acme/refunds'))
    expect(found).toEqual({ 'SKILL.md': expect.any(String), [now.path]: now.text })
    expect(await readdir(to)).toEqual(['.embed-skills.json', 'acme'])
  }
  // Of what was removed by hand, the folders may be left.
  await rm(path.join(to, 'acme/refunds/x'))
  await mkdir(path.join(to, 'acme/refunds/x/y/empty'), { recursive: true })
  expect(await syncSkills(host, { to })).toMatchObject([{ state: 'updated', written: 1 }])
})

test('S4: a name that has changed in case alone replaces the other one, on every machine', async () => {
  const to = await temporaryFolder()
  const named = ['A.md', 'a.md', 'A.md'].map((path, at) => [{ path, text: at === 1 ? 'same' : 'other' }])
  const { host, server } = await hostOf([])
  for (const files of [...named, [{ path: 'a.md', text: 'other' }]]) {
    server.serve([rawSkill('refunds', files)])
    for (const synced of await syncSkills(host, { to })) expect(synced).not.toHaveProperty('error')
    const { path: name, text } = files[0]!
    const found = await filesBelow(path.join(to, 'acme/refunds'))
    expect(found).toEqual({ 'SKILL.md': expect.any(String), [name]: text })
  }
})

test('S4: so do a skill in a skill and a file, whichever is listed first', async () => {
  const to = await temporaryFolder()
  const inner = skillMd('inner')
  const nested = [
    { entry: entryOf('refunds/inner', [inner]), files: [inner] },
    rawSkill('refunds', [{ ...inner, path: 'inner/SKILL.md' }]),
  ]
  const { host, server } = await hostOf(nested)
  for (const skills of [nested, [rawSkill('refunds', [{ path: 'inner', text: 'a file' }])], nested]) {
    server.serve(skills)
    for (const synced of await syncSkills(host, { to })) expect(synced).not.toHaveProperty('error')
    expect(Object.keys(await filesBelow(path.join(to, 'acme')))).toEqual([
      'refunds/SKILL.md',
      skills === nested ? 'refunds/inner/SKILL.md' : 'refunds/inner',
    ])
  }
})

test.each([
  [file!, below!, 'x'],
  [below!, file!, 'x/y/z.md'],
])(
  'S4: what was changed by hand is in the way of that, until it is forced (%j)',
  async (was, is, changed) => {
    const to = await temporaryFolder()
    const { host, server } = await hostOf([rawSkill('refunds', [was])])
    await syncSkills(host, { to })
    await writeFile(path.join(to, 'acme/refunds', changed), 'mine')
    server.serve([rawSkill('refunds', [is], { body: 'New' })])
    const before = await filesBelow(to)
    expect(await syncSkills(host, { to })).toMatchObject([
      { state: 'failed', error: { message: expect.stringContaining('changed by hand, and is in the way') } },
    ])
    expect(await filesBelow(to)).toEqual(before)
    expect(await syncSkills(host, { to, force: true })).toMatchObject([{ state: 'updated', written: 2 }])
    expect(await filesBelow(to)).toMatchObject({ [`acme/refunds/${is.path}`]: is.text })
  },
)

test('S4: what no download put there is in the way of that for good', async () => {
  const to = await temporaryFolder()
  const { host, server } = await hostOf([rawSkill('refunds', [below!])])
  await syncSkills(host, { to })
  await writeFile(path.join(to, 'acme/refunds/x/mine.md'), 'mine')
  server.serve([rawSkill('refunds', [file!], { body: 'New' })])
  const before = await filesBelow(to)
  for (const force of [false, true])
    expect(await syncSkills(host, { to, force })).toMatchObject([
      {
        state: 'failed',
        error: { message: expect.stringContaining('the folder with acme/refunds/x/mine.md') },
      },
    ])
  expect(await filesBelow(to)).toEqual(before)
})

test('S4: two processes that download into one folder at the same moment leave it as one would', async () => {
  const to = await temporaryFolder()
  await using server = await listen(listenerOf({ fetch: await officialServer(['skills/**']) }))
  const script = `
    import { SkillHost } from '@embed-skills/client'
    import { connectServer, syncSkills } from '@embed-skills/client/node'
    const [to, url, ...labels] = args
    const { client, close } = await connectServer({ url })
    const host = new SkillHost()
    for (const label of labels) await host.addServer(label, client, { identity: url })
    await begin()
    const failed = (await syncSkills(host, { to })).filter(({ error }) => error)
    for (const { error } of failed) console.error(error)
    await close()
    process.exitCode = failed.length
  `
  // Some of what each downloads is the other's too.
  const labels = [
    ['a', 'b'],
    ['b', 'c'],
  ]
  const args = labels.map((each) => [to, server.url, ...each])
  expect(await together(script, args)).toEqual([0, 0])
  const source = path.join(import.meta.dirname, '../../playground/worker/skills')
  const files = await filesBelow(source)
  for (const label of ['a', 'b', 'c']) expect(await filesBelow(path.join(to, label))).toEqual(files)
  expect(await readdir(to)).toEqual(['.embed-skills.json', 'a', 'b', 'c'])
  const { skills } = JSON.parse(await readFile(path.join(to, '.embed-skills.json'), 'utf8')) as {
    skills: { folder: string }[]
  }
  const names = Object.keys(files)
    .filter((file) => file.endsWith('SKILL.md'))
    .map(path.dirname)
  const folders = ['a', 'b', 'c'].flatMap((label) => names.map((name) => `${label}/${name}`))
  expect(skills.map(({ folder }) => folder).toSorted()).toEqual(folders.toSorted())
})

test('S4: what was replaced is put back when a later file cannot be written', async () => {
  const to = await temporaryFolder()
  const { host, server } = await hostOf([rawSkill('refunds', [one!, gone])])
  await syncSkills(host, { to })
  const before = await filesBelow(to)
  server.serve([rawSkill('refunds', [two!, gone, { path: 'x/new.md', text: '' }], { body: 'New' })])
  let last = 0
  const [failed] = await syncSkills(host, {
    to,
    onProgress({ done, total }) {
      // After everything was fetched and before anything is put in its place, a folder stands in the way.
      if (done !== total || last++ > 0) return
      mkdirSync(path.join(to, 'acme/refunds/x/new.md'), { recursive: true })
      writeFileSync(path.join(to, 'acme/refunds/x/new.md/mine'), '')
    },
  })
  expect(failed).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('the folder with acme/refunds/x/new.md/mine is in its way') },
  })
  expect(await filesBelow(to)).toEqual({ ...before, 'acme/refunds/x/new.md/mine': '' })
  expect(await readdir(to)).toEqual(['.embed-skills.json', 'acme'])
})

test('S4: a skill that is loaded as it was before is downloaded as it is now', async () => {
  const to = await temporaryFolder()
  const { host, server } = await hostOf([rawSkill('refunds', [one!])])
  await host.load(refunds)
  server.serve([rawSkill('refunds', [two!])])
  expect(states(await syncSkills(host, { to }))).toEqual(['skill://refunds/SKILL.md new'])
  expect(await filesBelow(to)).toMatchObject({ 'acme/refunds/references/a.md': 'two' })
})

test.each([
  ['skills', { path: '.claude/skills/evil/SKILL.md', text: 'x' }, 'skill://refunds/SKILL.md'],
  ['.config', { path: 'a.md', text: 'x' }, 'skill://skills/refunds/SKILL.md'],
])('S4: no skill makes a folder that agents scan, here in %s', async (folder, file, uri) => {
  const to = path.join(await temporaryFolder(), folder)
  const { entry, files } = rawSkill('refunds', [file])
  const moved = JSON.parse(JSON.stringify(entry).replaceAll('skill://refunds/', uri.slice(0, -8)))
  const { host } = await hostOf([{ entry: moved, files }])
  expect(await syncSkills(host, { to, unsafeNames: true })).toMatchObject([
    { state: 'failed', error: { message: expect.stringContaining("for the user's own") } },
  ])
})

test('S4: two skills whose folders differ in case alone are not both written', async () => {
  const to = await temporaryFolder()
  const { entry, files } = rawSkill('refunds')
  const [upper, lower] = ['Team', 'team'].map((prefix) => ({
    entry: JSON.parse(JSON.stringify(entry).replaceAll('skill://', `skill://${prefix}/`)) as typeof entry,
    files,
  }))
  const { host } = await hostOf([upper!, lower!])
  expect(await syncSkills(host, { to })).toMatchObject([
    { state: 'new' },
    { state: 'failed', error: { message: expect.stringContaining('are one folder') } },
  ])
})

const refused: [string, RawFile[]][] = [
  ['it is a device on Windows', [{ path: 'con.txt', text: '' }]],
  ['a stream of NTFS', [{ path: 'a.md:evil', text: '' }]],
  ['it ends with a dot', [{ path: 'a./b.md', text: '' }]],
  ['a backslash', [{ path: '..\\..\\evil', text: '' }]],
  ['it may be the short name of another file', [{ path: 'LONGFI~1.MD', text: '' }]],
  [
    'two sigmas are one',
    [
      { path: 'ΟΔΟΣ.md', text: '' },
      { path: 'οδος.md', text: '' },
    ],
  ],
  ['it is hidden', [{ path: '.git/hooks/post-checkout', text: '' }]],
  [
    'two names are one',
    [
      { path: 'A.md', text: '' },
      { path: 'a.md', text: '' },
    ],
  ],
  [
    'two accents are one',
    [
      { path: 'é.md', text: '' },
      { path: 'e\u0301.md', text: '' },
    ],
  ],
  [
    'a file is a folder',
    [
      { path: 'A', text: '' },
      { path: 'a/b.md', text: '' },
    ],
  ],
]
test.each(refused)('S4: a skill is refused whole where %s', async (_, files) => {
  const to = await temporaryFolder()
  const { host } = await hostOf([rawSkill('refunds', files)])
  expect(await syncSkills(host, { to })).toMatchObject([
    { state: 'failed', error: { message: expect.stringContaining('not written') } },
  ])
  expect(await readdir(to)).toEqual([])
})

test('S4: names that Windows cannot hold are written on request, a backslash never', async () => {
  const to = await temporaryFolder()
  const { host, server } = await hostOf([rawSkill('refunds', [{ path: '.x/con.txt', text: 'x' }])])
  expect(await syncSkills(host, { to, unsafeNames: true })).toMatchObject([{ state: 'new' }])
  expect(await filesBelow(to)).toMatchObject({ 'acme/refunds/.x/con.txt': 'x' })
  server.serve([rawSkill('refunds', [{ path: '..\\x', text: 'x' }])])
  expect(await syncSkills(host, { to, unsafeNames: true })).toMatchObject([{ state: 'failed' }])
})

test('S4: no link is followed out of the folder', async () => {
  const [to, outside] = [await temporaryFolder(), await temporaryFolder()]
  await mkdir(path.join(to, 'acme/refunds'), { recursive: true })
  await symlink(outside, path.join(to, 'acme/refunds/references'))
  const { host } = await hostOf([rawSkill('refunds', [one!])])
  expect(await syncSkills(host, { to, force: true })).toMatchObject([
    { state: 'failed', error: { message: expect.stringContaining('link') } },
  ])
  expect(await readdir(outside)).toEqual([])
})

test('S4: a manifest that points out of the folder is refused', async () => {
  const [to, outside] = [await temporaryFolder(), await temporaryFolder()]
  await writeFile(path.join(outside, 'precious'), '')
  const digest = 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const folder = path.relative(to, outside)
  const skill = {
    folder,
    server: 'acme',
    identity: 'https://acme.example',
    uri: 'skill://x/SKILL.md',
    files: { precious: digest },
  }
  await writeFile(path.join(to, '.embed-skills.json'), JSON.stringify({ version: 1, skills: [skill] }))
  const { host } = await hostOf([])
  await expect(syncSkills(host, { to })).rejects.toThrow('is not a list of downloaded skills')
  expect(await readdir(outside)).toEqual(['precious'])
})

test.each(['.claude/skills', '.config/opencode/skill/mine', '.CURSOR/Skills', '.agents/skills'])(
  'S4: %s is written to only to install, flat and with a warning',
  async (folder) => {
    const to = path.join(await temporaryFolder(), folder)
    const files = [skillMd('refunds', { 'allowed-tools': 'Bash(*)' })]
    const entry = entryOf('acme/billing/refunds', files, { 'allowed-tools': 'Bash(*)' })
    const { host } = await hostOf([{ entry, files }])
    await expect(syncSkills(host, { to })).rejects.toThrow('allowed-tools')
    await expect(downloadSkill(host, { server: 'acme', uri: entry.uri }, { to })).rejects.toThrow('install')
    const [installed] = await syncSkills(host, { to, install: true })
    expect(installed).toMatchObject({ state: 'new', warnings: [expect.stringContaining('Bash(*)')] })
    expect(Object.keys(await filesBelow(to))).toEqual(['refunds/SKILL.md'])
  },
)

test('S4: a link to a folder that agents scan is seen through, and so is a label that makes it one', async () => {
  const root = await temporaryFolder()
  await mkdir(path.join(root, '.claude/skills'), { recursive: true })
  await symlink(path.join(root, '.claude/skills'), path.join(root, 'plain'))
  const { host } = await hostOf([rawSkill('refunds')])
  await expect(syncSkills(host, { to: path.join(root, 'plain') })).rejects.toThrow('agents take')
  await host.addServer('skills', await connect(new RawServer([rawSkill('refunds')]).fetch))
  await expect(syncSkills(host, { to: path.join(root, '.claude') })).rejects.toThrow('agents take')
})

test('S4: a dynamic skill is not downloaded, and one skill can be', async () => {
  const to = await temporaryFolder()
  const { entry, files } = rawSkill('live')
  const { host } = await hostOf([{ entry: { ...entry, resources: 'dynamic' }, files }, rawSkill('refunds')])
  expect(await downloadSkill(host, { server: 'acme', uri: entry.uri }, { to })).toMatchObject({
    state: 'failed',
  })
  expect(states(await syncSkills(host, { to: await temporaryFolder() }))).toEqual([
    'skill://live/SKILL.md skipped',
    'skill://refunds/SKILL.md new',
  ])
  expect(await downloadSkill(host, refunds, { to })).toMatchObject({
    state: 'new',
    folder: path.join(to, 'acme/refunds'),
  })
  expect(JSON.parse(await readFile(path.join(to, '.embed-skills.json'), 'utf8'))).toMatchObject({
    version: 1,
    skills: [{ folder: 'acme/refunds', identity: 'https://acme.example', uri: refunds.uri }],
  })
})
