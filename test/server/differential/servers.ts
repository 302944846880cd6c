import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { compile } from '@embed-skills/compiler'
import { guard, serveSkills } from '@embed-skills/runtime/fetch'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills'
import { importSkills } from '../../support/modules.ts'

const info = { name: 'test', version: '1.0.0' }

/** One set of skills, as the official extension takes it and on disk. */
const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'acme/billing/invoices/SKILL.md': '---\nname: invoices\ndescription: Writes invoices.\n---\nWrite one.\n',
  'refunds/SKILL.md': '---\nname: refunds\ndescription: Pays back.\n---\nPay back.\n',
  'refunds/data/Q&A 1.md': 'Why? \u2013 Because.\n',
  'refunds/data/reasons.csv': 'a,b\r\n1,2\r\n',
  'refunds/logo.png': new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0, 255]),
  'refunds/partial/SKILL.md': '---\nname: partial\ndescription: Pays back a part.\n---\nPay.\n',
}

/** Our server and the official one, with the same skills. */
export async function bothServers(): Promise<
  Record<'ours' | 'official', { fetch(request: Request): Promise<Response> }>
> {
  const root = await mkdtemp(path.join(tmpdir(), 'embed-skills-differential-'))
  for (const [file, content] of Object.entries(FILES)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await writeFile(path.join(root, file), content)
  }
  const { skills } = await compile(['**'], { root })
  const extension = await SkillsExtension.load(memorySkillFiles(FILES))
  return {
    ours: guard(serveSkills(await importSkills(skills), info)),
    official: createMcpHandler(() => {
      const server = new McpServer(info)
      extension.attach(server)
      return server
    }),
  }
}
