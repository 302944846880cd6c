/** What a dev server says of skills that are declared stable and are not. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import embedSkills from 'unplugin-embed-skills/vite'
import type { InlineConfig, RunnableDevEnvironment } from 'vite'
import { build, createServer } from 'vite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { app } from '../support/apps.ts'
import type { TestServer } from './support.ts'
import { connect } from './support.ts'

const APP = {
  'package.json': '{ "type": "module" }',
  'skills/mail/SKILL.md.eta':
    '---\nname: mail\ndescription: Writes a mail. Use it.\n---\nWritten <%= it.at %>.\n',
  'server.ts': `import { joinSkills } from '@embed-skills/runtime'
import { defineSkill, renderSkill, skillRoute } from '@embed-skills/runtime/define'
import { serveSkills } from '@embed-skills/runtime/fetch'
import { checkStable } from '@embed-skills/runtime/testing'
import skills from 'virtual:skills'

const description = 'Does something. Use it.'
const stable = { stable: true }
const all = joinSkills(
  skills,
  defineSkill('fine', { description }, { 'x.md': () => 'always the same' }, stable),
  defineSkill('hour', { description }, { 'x.md': () => 'at ' + new Date(0).getHours() + ':' + new Date(0).getMinutes() }, stable),
  defineSkill('honest', { description }, { 'x.md': () => String(Date.now()) }),
  skillRoute('mail', () => renderSkill(skills, 'mail', { at: new Date().toISOString().slice(0, 10) }), stable),
)
export const said: string[] = []
const note = (message: string) => void said.push(message)
export default serveSkills(
  import.meta.env.DEV ? checkStable(all) : all,
  { name: 'dev', version: '1' },
  { logger: { warn: note, error: note } },
)
`,
}

function config(root: string): InlineConfig {
  return { root, configFile: false, logLevel: 'silent', plugins: [embedSkills('skills/*')] }
}

test('N15: Vite\u2019s dev server renders a stable skill twice, and the first byte that differs is logged', async () => {
  const root = await app(APP)
  const server = await createServer({
    ...config(root),
    server: { port: 0, host: '127.0.0.1' },
    optimizeDeps: { noDiscovery: true },
  })
  onTestFinished(() => server.close())
  await server.listen()
  const { runner } = server.environments['ssr'] as RunnableDevEnvironment
  const { default: handler, said } = (await runner.import('/server.ts')) as {
    default: TestServer
    said: string[]
  }
  const { reader } = await connect(handler)
  const before = Date.now()

  const { skills } = await reader.list()
  expect(skills.map(({ frontmatter }) => frontmatter.name)).toEqual(['fine', 'honest', 'hour', 'mail'])
  const wanted = [
    // `at ` is the same in both.
    /skill:\/\/hour\/x\.md is declared stable, but .* it differs from byte [3-6] on: "at .*" against "at .*"/,
    // Behind the frontmatter and `Written 20`.
    /skill:\/\/mail\/SKILL\.md is declared stable, but .* it differs from byte 6\d on: /,
  ].map((pattern) => expect.stringMatching(pattern))
  expect(said.splice(0)).toEqual(wanted)

  // Once listed is enough said; who asks for one hears it again.
  await reader.list()
  expect(said).toEqual([])
  await reader.get('skill://hour/SKILL.md')
  await reader.get('skill://fine/SKILL.md')
  await reader.get('skill://honest/SKILL.md')
  expect(said).toEqual(wanted.slice(0, 1))
  // The clock is as it was.
  expect(Date.now() - before).toBeLessThan(1000 * 60 * 60)
})

test('N15: a build for production holds nothing of it', async () => {
  const root = await app(APP)
  // Vitest says otherwise, and Vite goes by it.
  vi.stubEnv('NODE_ENV', 'production')
  onTestFinished(() => void vi.unstubAllEnvs())
  await build({ ...config(root), build: { ssr: 'server.ts' }, ssr: { noExternal: true } })
  const code = await readFile(path.join(root, 'dist/server.js'), 'utf8')
  expect(code).toContain('always the same')
  expect(code).not.toMatch(/Pacific\/Chatham|in one render and not in another/)
})
