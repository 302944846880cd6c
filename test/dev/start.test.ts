import type { CompiledSkills } from '@embed-skills/runtime'
import embedSkills from 'unplugin-embed-skills/vite'
import type { EmbedSkillsOptions } from 'unplugin-embed-skills/vite'
import type { Plugin, RunnableDevEnvironment } from 'vite'
import { createServer } from 'vite'
import { expect, test } from 'vitest'
import { eventually, saved } from '../support/eventually.ts'
import { skillMd, writeTree } from '../support/tree.ts'
import { FILES } from './project.ts'

const ENTRY = { 'entry.js': "export { default } from 'virtual:skills'\n" }

/** The URIs of what the SSR environment has, or what it says instead. */
async function started(
  root: string,
  options?: EmbedSkillsOptions,
  others: readonly Plugin[] = [],
): Promise<{ uris(): Promise<string[]> } & AsyncDisposable> {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [...others, embedSkills(options)],
    server: { middlewareMode: true, ws: false },
    optimizeDeps: { noDiscovery: true },
  })
  return {
    async uris() {
      const { runner } = server.environments.ssr as RunnableDevEnvironment
      const { default: set } = (await runner.import('/entry.js')) as { default: CompiledSkills }
      return Object.keys(set.skills)
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
}

test('a server that starts without any skills sees the first one', async () => {
  const top = writeTree({ 'app/entry.js': ENTRY['entry.js'] })
  await using server = await started(`${top}/app`, { from: 'content/skills/*', base: '..' })
  await expect(server.uris()).rejects.toThrow('[no-skills]')
  const file = 'content/skills/first/SKILL.md'
  await saved(top, file, FILES['skills/first/SKILL.md']!, async () => {
    expect(await server.uris()).toEqual(['skill://first/SKILL.md'])
  })
})

test('a server that starts with a broken skill needs no other start, even outside of the root', async () => {
  const top = writeTree({
    'app/entry.js': ENTRY['entry.js'],
    'skills/a/SKILL.md': '---\nname: b\ndescription: B\n---\n',
    'skills/c/readme.md': 'No skill yet',
  })
  await using server = await started(`${top}/app`, { from: 'skills/*', base: '..' })
  await expect(server.uris()).rejects.toThrow('[name-mismatch]')
  await saved(top, 'skills/a/SKILL.md', skillMd('a'), async () => {
    await expect(server.uris()).rejects.toThrow('[skill-md-missing]')
  })
  await saved(top, 'skills/c/SKILL.md', skillMd('c'), async () => {
    expect(await server.uris()).toEqual(['skill://a/SKILL.md', 'skill://c/SKILL.md'])
  })
})

test('what is saved before the watcher is ready, which it does not tell of, is seen when it is', async () => {
  const root = writeTree({ ...FILES, ...ENTRY })
  let ready: () => void
  const held = new Promise<void>((resolve) => (ready = resolve))
  const plugin: Plugin = {
    name: 'hold-ready',
    configureServer({ watcher }) {
      const emit = watcher.emit.bind(watcher) as (...event: unknown[]) => boolean
      watcher.emit = (...event: unknown[]) => {
        // Vite's watcher may be ready early or late: here it is late, and has told of nothing until then.
        if (event[0] === 'ready') void held.then(() => emit('ready'))
        return event[0] === 'error' && emit(...event)
      }
    },
  }
  await using server = await started(root, 'skills/*', [plugin])
  expect(await server.uris()).toHaveLength(2)
  writeTree({ 'skills/third/SKILL.md': skillMd('third') }, root)
  ready!()
  await eventually(async () => expect(await server.uris()).toContain('skill://third/SKILL.md'))
})

test('two servers of one plugin, as frameworks start them, both see an edit outside of their root', async () => {
  const entry = "export { default } from '../elsewhere/first/SKILL.md?skill'\n"
  const top = writeTree({ ...FILES, 'app/entry.js': entry, 'elsewhere/first/SKILL.md': skillMd('first') })
  const plugins = embedSkills({ root: top, from: 'skills/*' })
  await using first = await started(`${top}/app`, undefined, plugins)
  await using second = await started(`${top}/app`, undefined, plugins)
  for (const server of [first, second]) expect(await server.uris()).toEqual(['skill://first/SKILL.md'])
  await saved(top, 'elsewhere/first/SKILL.md', '', async () => {
    for (const server of [first, second]) await expect(server.uris()).rejects.toThrow('elsewhere/first')
  })
})

test('an edit of the configuration file is seen, and one that breaks it, without a restart', async () => {
  const file = 'embed-skills.config.json'
  const root = writeTree({ ...FILES, ...ENTRY, [file]: '{ "from": "skills/first" }' })
  await using server = await started(root)
  expect(await server.uris()).toEqual(['skill://first/SKILL.md'])
  await saved(root, file, '{ "from": "skills/*", "prefix": "acme" }', async () => {
    expect(await server.uris()).toEqual(['skill://acme/first/SKILL.md', 'skill://acme/second/SKILL.md'])
  })
  await saved(root, file, '{', async () => {
    await expect(server.uris()).rejects.toThrow('is no JSON')
  })
  await saved(root, file, '{ "from": "skills/second" }', async () => {
    expect(await server.uris()).toEqual(['skill://second/SKILL.md'])
  })
})

test('a server for the macro alone starts without skills, and says so to whoever asks for them', async () => {
  await using server = await started(writeTree({ ...FILES, ...ENTRY }))
  await expect(server.uris()).rejects.toThrow('say where skills are')
})
