import type { CompiledSkills } from '@embed-skills/runtime'
import embedSkills from 'unplugin-embed-skills/vite'
import type { RunnableDevEnvironment } from 'vite'
import { createServer } from 'vite'
import { expect, test } from 'vitest'
import { skillMd, writeTree } from '../support/tree.ts'
import { eventually, FILES, saved } from './project.ts'

const ENTRY = { 'entry.js': "export { default } from 'virtual:skills'\n" }

/** The URIs of what the SSR environment has, or what it says instead. */
async function started(root: string, from: string): Promise<{ uris(): Promise<string[]> } & AsyncDisposable> {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [embedSkills({ from, base: '..' })],
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
  await using server = await started(`${top}/app`, 'content/skills/*')
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
  await using server = await started(`${top}/app`, 'skills/*')
  await expect(server.uris()).rejects.toThrow('[name-mismatch]')
  await saved(top, 'skills/a/SKILL.md', skillMd('a'), async () => {
    await expect(server.uris()).rejects.toThrow('[skill-md-missing]')
  })
  writeTree({ 'skills/c/SKILL.md': skillMd('c') }, top)
  await eventually(async () => {
    expect(await server.uris()).toEqual(['skill://a/SKILL.md', 'skill://c/SKILL.md'])
  })
})
