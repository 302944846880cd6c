/** Commands that a host starts, and what is left of them. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { SkillHost } from '@embed-skills/client'
import { connectServer } from '@embed-skills/client/node'
import { expect, test } from 'vitest'

async function script(source: string): Promise<{ command: string; args: string[]; pids: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'embed-skills-'))
  const [file, pids] = [path.join(folder, 'server.mjs'), path.join(folder, 'pids')]
  const noted = `import { appendFileSync } from 'node:fs'\nappendFileSync(${JSON.stringify(pids)}, process.pid + '\\n')\n`
  await writeFile(file, noted + source)
  return { command: process.execPath, args: [file], pids }
}

async function running(pids: string): Promise<string[]> {
  return (await readFile(pids, 'utf8'))
    .trim()
    .split('\n')
    .filter((pid) => {
      try {
        return process.kill(Number(pid), 0)
      } catch {
        return false
      }
    })
}

const answering = (result: string): string => `
import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(${result}) }))
}`

test('N18: a command that is no server is not left running', async () => {
  const error = `{ error: { code: -32601, message: 'No' } }`
  const { pids, ...target } = await script(answering(error))
  await expect(connectServer(target)).rejects.toThrow('No')
  while ((await running(pids)).length) await setImmediate()
})

test('N18: the largest file that every host has to accept comes over standard streams too', async () => {
  const source = answering(`{
    initialize: { result: { protocolVersion: '2025-11-25', serverInfo: { name: 'a', version: '1' },
      capabilities: { resources: {}, extensions: { 'io.modelcontextprotocol/skills': {} } } } },
    'skills/list': { result: { skills: [{ uri: 'skill://a/SKILL.md', frontmatter: { name: 'a', description: 'A' },
      resources: [{ uri: 'skill://a/SKILL.md', ...listed }, { uri: 'skill://a/big.bin', ...big }] }] } },
    'resources/read': { result: { contents: [params.uri === 'skill://a/SKILL.md' ? { uri: params.uri, text } : { uri: params.uri, blob }] } },
  }[method] ?? { error: { code: -32601, message: 'No' } }`)
  const head = `
import { createHash } from 'node:crypto'
const describe = (bytes) => ({ digest: 'sha256:' + createHash('sha256').update(bytes).digest('hex'), size: bytes.length })
const text = '---\\nname: a\\ndescription: A\\n---\\n'
const bytes = Buffer.alloc(16 * 1024 * 1024 - text.length)
const [listed, big, blob] = [describe(Buffer.from(text)), describe(bytes), bytes.toString('base64')]`
  const { pids, ...target } = await script(head + source)
  const { client, close } = await connectServer(target)
  const host = new SkillHost()
  expect(await host.addServer('a', client)).toMatchObject({ skills: 1 })
  const ref = await host.find('a', 'a')
  expect((await host.readFile(ref, 'big.bin')).bytes.length).toBeGreaterThan(16_000_000)
  await close()
  expect(await running(pids)).toEqual([])
})
