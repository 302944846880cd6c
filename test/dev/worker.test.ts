import path from 'node:path'
import { cloudflare } from '@cloudflare/vite-plugin'
import embedSkills from 'unplugin-embed-skills/vite'
import type { HotPayload, ViteDevServer } from 'vite'
import { createServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, saved } from '../support/eventually.ts'
import { writeTree } from '../support/tree.ts'
import { workerProject } from '../support/worker.ts'
import { asPeopleDo, BROKEN, EDITS, expected, FILES, readAll } from './project.ts'

/* The Worker runs in workerd, in an environment of its own, and the client reads through it. */
let root: string
let server: ViteDevServer
let url: string

beforeAll(async () => {
  root = writeTree(FILES, workerProject())
  server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    cacheDir: path.join(root, '.vite'),
    plugins: [cloudflare(), embedSkills('skills/*')],
    server: { port: 0, host: '127.0.0.1' },
  })
  await server.listen()
  url = server.resolvedUrls!.local[0]!
})
afterAll(() => server.close())

test('the Worker serves what is on disk', async () => {
  expect(await readAll(url)).toEqual(expected(FILES))
})

test.each(EDITS)('%s is seen without a restart', async (_, edit, files) => {
  await asPeopleDo(edit, root)
  await eventually(async () => expect(await readAll(url)).toEqual(expected(files)))
})

test('a broken skill is an error with its place and a code frame, and mending it is enough', async () => {
  const [, , files] = EDITS.at(-1)!
  const socket = new WebSocket(
    `${url.replace('http', 'ws')}?token=${server.config.webSocketToken}`,
    'vite-hmr',
  )
  const messages: HotPayload[] = []
  socket.addEventListener('message', ({ data }) => messages.push(JSON.parse(data as string) as HotPayload))
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  await saved(root, BROKEN.file, BROKEN.text, async () => {
    const response = await fetch(url)
    expect(response.status).toBe(500)
    // Of an error in workerd, only the message comes back.
    const error = messages.findLast((message) => message.type === 'error')?.err
    expect(error?.message).toContain(`${BROKEN.file}:${BROKEN.line}:${BROKEN.column} error`)
    expect(error?.message).toMatch(/> 2 \| name: other\n.*\^\n/)
  })
  await saved(root, BROKEN.file, files[BROKEN.file]!, async () => {
    expect(await readAll(url)).toEqual(expected(files))
  })
  socket.close()
})
