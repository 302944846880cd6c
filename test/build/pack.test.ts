import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { cloudflare } from '@cloudflare/vite-plugin'
import { compile } from '@embed-skills/compiler'
import embedSkills from 'unplugin-embed-skills/vite'
import type { InlineConfig } from 'vite'
import { build, createBuilder, preview } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { unstable_startWorker } from 'wrangler'
import { app, cli, run, succeed, bin } from '../support/apps.ts'
import { compiled, MARKED, MARKED_GLOBS } from '../support/marked.ts'
import { expected, SERVED } from '../support/serve.ts'

// workerd needs nothing from outside.
Object.assign(process.env, { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' })

const worker = (specifier: string): string => `import skills from '${specifier}'
import { served } from './served.js'
export default { fetch: async () => new Response(await served(skills)) }
`
function configOf(root: string, skills: ReturnType<typeof embedSkills>): InlineConfig {
  return { root, logLevel: 'error', configFile: false, plugins: [cloudflare(), skills] }
}
const APP = {
  ...MARKED,
  'package.json': '{ "type": "module" }',
  'src/served.js': SERVED,
  'wrangler.json': JSON.stringify({
    name: 'app',
    main: 'src/worker.ts',
    compatibility_date: '2026-10-01',
  }),
}

test.each([
  // In utf8 they are cells of test/bundlers/matrix.test.ts.
  ['chunks', 'base64'],
  ['pack', 'base64'],
])('wrangler bundles and workerd serves the module of the CLI (%s, %s)', async (content, encoding) => {
  const root = await app({ ...APP, 'src/worker.ts': worker('./skills.ts') })
  await succeed(
    cli(root, 'build', ...MARKED_GLOBS, '-o', 'src/skills.ts', '--content', content, '--encoding', encoding),
  )
  await succeed(run(root, bin('wrangler'), 'deploy', '--dry-run', '--outdir', 'dist'))
  const server = await unstable_startWorker({
    config: path.join(root, 'wrangler.json'),
    dev: { server: { hostname: '127.0.0.1', port: 0 }, inspector: false, watch: false, logLevel: 'error' },
  })
  onTestFinished(() => server.dispose())
  const response = await server.fetch('http://localhost/')
  expect(await response.json()).toEqual(await compiled(root))
})

test.each(['utf8', 'base64'] as const)(
  'Vite with the plugin of Cloudflare builds, and workerd serves, a pack (%s)',
  async (encoding) => {
    const root = await app({ ...APP, 'src/worker.ts': worker('virtual:skills') })
    const skills = embedSkills({ from: MARKED_GLOBS, content: 'pack', encoding })
    const config = configOf(root, skills)
    const builder = await createBuilder(config)
    await builder.buildApp()
    const server = await preview({ ...config, preview: { port: 0, host: '127.0.0.1' } })
    onTestFinished(() => server.close())
    const response = await fetch(server.resolvedUrls!.local[0]!)
    expect(await response.json()).toEqual(await compiled(root))
  },
)

test('a skill that is imported alone has a pack of its own', async () => {
  const root = await app({ ...APP, 'src/worker.ts': worker('virtual:skills/other') })
  const skills = embedSkills({ from: MARKED_GLOBS, content: 'pack' })
  const config = configOf(root, skills)
  await (await createBuilder(config)).buildApp()
  const server = await preview({ ...config, preview: { port: 0, host: '127.0.0.1' } })
  onTestFinished(() => server.close())
  const response = await fetch(server.resolvedUrls!.local[0]!)
  const all = (await compile(MARKED_GLOBS, { root })).skills
  expect(await response.json()).toEqual(expected(all.filter((skill) => skill.path === 'other')))
})

test('a Worker of 1 MiB gets a pack without being asked', async () => {
  const root = await app({
    ...APP,
    'src/worker.ts': worker('virtual:skills'),
    'skills/other/large.md': 'A line of text.\n'.repeat(70_000),
  })
  await (await createBuilder(configOf(root, embedSkills(MARKED_GLOBS)))).buildApp()
  const written = await readdir(path.join(root, 'dist'), { recursive: true })
  expect(written.filter((name) => name.endsWith('.bin'))).toHaveLength(1)
})

test('a pack is refused where bytes cannot be imported', async () => {
  const root = await app({ ...APP, 'src/worker.ts': worker('virtual:skills') })
  const plugins = [embedSkills({ from: MARKED_GLOBS, content: 'pack' })]
  const config: InlineConfig = { root, logLevel: 'silent', configFile: false, plugins }
  await expect(build({ ...config, build: { ssr: 'src/worker.ts' } })).rejects.toThrow(
    "content: 'pack' is for Cloudflare Workers",
  )
})
