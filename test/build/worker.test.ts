import path from 'node:path'
import { cloudflare } from '@cloudflare/vite-plugin'
import embedSkills from 'unplugin-embed-skills/vite'
import { createBuilder, createServer, preview } from 'vite'
import { expect, test } from 'vitest'
import { differences } from '../support/compare.ts'
import { hostileSkills } from '../support/hostile.ts'
import { workerProject } from '../support/worker.ts'

const root = workerProject()
const { skills } = await hostileSkills(root)
const config = {
  root,
  configFile: false as const,
  logLevel: 'error' as const,
  cacheDir: path.join(root, '.vite'),
  define: { __DEFINED__: '"replaced"' },
}

test.each(['chunks', undefined] as const)(
  'workerd serves every byte and every entry of a production build: content %s',
  async (content) => {
    const plugins = [cloudflare(), embedSkills({ from: 'skills/**', ...(content && { content }) })]
    const build = { outDir: path.join('dist', content ?? 'auto') }
    const builder = await createBuilder({ ...config, plugins, build })
    await builder.buildApp()
    const server = await preview({ ...config, plugins, build, preview: { port: 0, host: '127.0.0.1' } })
    try {
      expect(await differences(skills, server.resolvedUrls!.local[0]!)).toEqual([])
    } finally {
      await server.close()
    }
  },
)

test('so does the dev server', async () => {
  const server = await createServer({
    ...config,
    plugins: [cloudflare(), embedSkills('skills/**')],
    server: { port: 0, host: '127.0.0.1' },
  })
  try {
    await server.listen()
    expect(await differences(skills, server.resolvedUrls!.local[0]!)).toEqual([])
  } finally {
    await server.close()
  }
})
