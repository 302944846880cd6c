import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { CompiledSkills } from '@embed-skills/runtime'
import { createCatalog } from '@embed-skills/runtime'
import { serveSkills } from '@embed-skills/runtime/fetch'
import embedSkills from 'unplugin-embed-skills/vite'
import type { HotPayload, RunnableDevEnvironment, ViteDevServer } from 'vite'
import { createServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, saved } from '../support/eventually.ts'
import { info, listen, listenerOf } from '../support/servers.ts'
import { temporaryFolder, writeTree } from '../support/tree.ts'
import type { Served } from './project.ts'
import { asPeopleDo, BROKEN, EDITS, expected, expectPlace, FILES, readAll } from './project.ts'

const ENTRY = { 'entry.js': "export { default } from 'virtual:skills'\n" }
let root: string
let server: ViteDevServer

beforeAll(async () => {
  root = writeTree({ ...FILES, ...ENTRY }, temporaryFolder('a (x)/[y]'))
  server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [embedSkills('skills/*')],
    server: { port: 0, host: '127.0.0.1' },
    optimizeDeps: { noDiscovery: true },
  })
  await server.listen()
})
afterAll(() => server.close())

async function load(): Promise<CompiledSkills> {
  const { runner } = server.environments.ssr as RunnableDevEnvironment
  return ((await runner.import('/entry.js')) as { default: CompiledSkills }).default
}

async function served(): Promise<Served> {
  await using http = await listen(listenerOf(serveSkills(await load(), info)))
  return await readAll(http.url)
}

test('the SSR environment serves what is on disk', async () => {
  expect(await served()).toEqual(expected(FILES))
})

test.each(EDITS)('%s is seen without a restart', async (_, edit, files) => {
  await asPeopleDo(edit, root)
  await eventually(async () => expect(await served()).toEqual(expected(files)))
})

test('a broken skill is an error with its place and a code frame, and mending it is enough', async () => {
  const [, , files] = EDITS.at(-1)!
  await saved(root, BROKEN.file, BROKEN.text, async () => {
    expectPlace(await load().catch((error: unknown) => error), root)
  })
  await saved(root, BROKEN.file, files[BROKEN.file]!, async () => {
    expect(await served()).toEqual(expected(files))
  })
})

test('the overlay of a page shows the same', async () => {
  const [, , files] = EDITS.at(-1)!
  const url = server.resolvedUrls!.local[0]!
  const socket = new WebSocket(
    `${url.replace('http', 'ws')}?token=${server.config.webSocketToken}`,
    'vite-hmr',
  )
  const messages: HotPayload[] = []
  socket.addEventListener('message', ({ data }) => messages.push(JSON.parse(data as string) as HotPayload))
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  const page = `${url}@id/__x00__virtual:skills`
  expect((await fetch(page)).status).toBe(200)
  await saved(root, BROKEN.file, BROKEN.text, async () => {
    expect((await fetch(page)).status).toBe(500)
    const error = messages.findLast((message) => message.type === 'error')
    expectPlace(error?.err, root)
  })
  await saved(root, BROKEN.file, files[BROKEN.file]!, async () => {
    expect((await fetch(page)).status).toBe(200)
  })
  socket.close()
})

test('an empty folder is served as soon as it is there, and until it is gone (A7)', async () => {
  const uri = 'skill://first'
  const folders = async (): Promise<string[]> => {
    const { resources } = await createCatalog(await load()).readDirectory!({ uri }, {})
    return resources.filter(({ mimeType }) => mimeType === 'inode/directory').map(({ name }) => name)
  }
  const empty = path.join(root, 'skills/first/empty')
  // Once is not enough, as of all changes (see `eventually`).
  const remake = (): void => {
    rmSync(empty, { recursive: true, force: true })
    mkdirSync(empty)
  }
  await eventually(async () => expect(await folders()).toEqual(['empty']), remake)
  await eventually(
    async () => expect(await folders()).toEqual([]),
    () => {
      remake()
      rmSync(empty, { recursive: true })
    },
  )
})

test('a file that was saved without a change reloads nothing', async () => {
  const [, , files] = EDITS.at(-1)!
  const { hot } = server.environments.ssr
  const reloads: unknown[] = []
  const send = hot.send.bind(hot)
  hot.send = ((payload: HotPayload) => {
    if (payload.type === 'full-reload') reloads.push(payload.triggeredBy)
    send(payload)
  }) as typeof hot.send

  const changes: string[] = []
  server.watcher.on('change', (file) => changes.push(path.relative(root, file)))
  const untouched = ['skills/first/notes.md', 'skills/third/SKILL.md']
  await eventually(
    () => expect(changes).toEqual(expect.arrayContaining(untouched)),
    () => {
      for (const file of untouched) writeTree({ [file]: files[file]! }, root)
    },
  )
  // Whichever change that one is put down to, there is one reload: those without a change led to none.
  const added = 'skills/fourth/added.md'
  await saved(root, added, 'Added', async () => {
    expect(await served()).toEqual(expected({ ...files, [added]: 'Added' }))
  })
  expect(reloads).toHaveLength(1)
})
