import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { compile } from '@embed-skills/compiler'
import { guard, serveSkills, withSkills } from '@embed-skills/runtime/fetch'
import { attachSkills } from '@embed-skills/runtime/mcp'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import type { Browser } from 'playwright-core'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importSkills } from '../support/modules.ts'
import { bundle } from '../support/snippets.ts'
import { listen } from './start.ts'

// Debian's. The test is left out, and says so, where there is none.
const executablePath = '/usr/bin/chromium'
const info = { name: 'test', version: '1.0.0' }
const root = path.join(import.meta.dirname, '../../playground/worker')
const { skills } = await compile(['skills/**'], { root })
const compiled = await importSkills(skills)

/** What a page does: it lists the skills, and reads and verifies every file. */
const SCRIPT = `
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
globalThis.verify = async (url, mode) => {
  const client = new Client({ name: 'page', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const reader = new SkillsClient(client)
  let files = 0
  for (const { uri } of (await reader.list()).skills) {
    const { skill } = await reader.get(uri)
    for (const file of skill.resources) files += (await reader.read(skill, file.uri)).verified ? 1 : 0
  }
  return files
}
`

const servers = {
  serveSkills: () => serveSkills(compiled, info),
  'the official SDK': () =>
    createMcpHandler(() => {
      const server = new McpServer(info)
      attachSkills(server, compiled)
      return server
    }),
  withSkills: () =>
    withSkills(
      createMcpHandler(() => new McpServer(info)),
      compiled,
      { auth: 'public' },
    ),
}

describe.skipIf(!existsSync(executablePath))('a page of another origin, in Chromium', () => {
  let browser: Browser
  let page: { url: string; close(): Promise<void> }
  beforeAll(async () => {
    const folder = path.dirname(await bundle(SCRIPT, [], 'worker'))
    page = await listen({
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
    browser = await chromium.launch({
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    })
  })
  afterAll(async () => {
    await browser?.close()
    await page?.close()
  })

  async function verifyIn(url: string, mode: 'auto' | 'legacy'): Promise<unknown> {
    const tab = await browser.newPage()
    await tab.goto(page.url)
    await tab.waitForFunction('globalThis.verify')
    const result = await tab.evaluate(`verify('${url}', '${mode}')`).catch((error: Error) => error.message)
    await tab.close()
    return result
  }

  test.each(Object.entries(servers))(
    '%s, where the origin is allowed, and where it is not',
    async (_, make) => {
      const files = skills.reduce((sum, skill) => sum + skill.files.length, 0)
      const open = await listen(guard(make(), { allowedOrigins: [new URL(page.url).origin] }))
      expect(await verifyIn(open.url, 'auto')).toBe(files)
      expect(await verifyIn(open.url, 'legacy')).toBe(files)
      await open.close()
      const closed = await listen(guard(make()))
      expect(await verifyIn(closed.url, 'auto')).toMatch(/fetch/i)
      await closed.close()
    },
  )
})
