import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import type { Running } from './start.ts'
import { launchChromium } from '../support/chromium.ts'
import { bundle } from '../support/snippets.ts'
import { listen } from './start.ts'

/** What a page does: it lists the skills, and reads and verifies every file. */
const SCRIPT = `
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
globalThis.verify = async (url, mode, headers) => {
  const client = new Client({ name: 'page', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  const reader = new SkillsClient(client)
  const verified = []
  for (const { uri } of (await reader.list()).skills) {
    const { skill } = await reader.get(uri)
    for (const file of skill.resources)
      if ((await reader.read(skill, file.uri)).verified) verified.push(file.uri)
  }
  await client.close()
  return verified
}
`

/** A page of an origin of its own, in a browser. */
export interface Page {
  readonly origin: string
  /** The URIs of the files that it could read and verify, or why it could not. */
  verify(url: string, mode: 'auto' | 'legacy', headers?: Record<string, string>): Promise<unknown>
  close(): Promise<void>
}

export async function openPage(): Promise<Page> {
  const server = await servePage()
  const browser = await launchChromium()
  return {
    origin: new URL(server.url).origin,
    verify: (url, mode, headers = {}) => verifyIn(browser, server.url, [url, mode, headers]),
    async close() {
      await browser.close()
      await server.close()
    },
  }
}

async function servePage(): Promise<Running> {
  const folder = path.dirname(await bundle(SCRIPT, [], 'worker'))
  return listen({
    async fetch({ url }: Request) {
      const name = path.basename(new URL(url).pathname)
      if (!name.endsWith('.mjs'))
        return new Response('<script type="module" src="/main.mjs"></script>', {
          headers: { 'content-type': 'text/html' },
        })
      const script = await readFile(path.join(folder, name))
      return new Response(script, { headers: { 'content-type': 'text/javascript' } })
    },
  })
}

async function verifyIn(browser: Browser, page: string, args: readonly unknown[]): Promise<unknown> {
  const tab = await browser.newPage()
  await tab.goto(page)
  await tab.waitForFunction('globalThis.verify')
  const result = await tab
    .evaluate(`verify(...${JSON.stringify(args)})`)
    .catch((error: Error) => error.message)
  await tab.close()
  return result
}
