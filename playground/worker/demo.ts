/**
 * Builds the Worker, runs it in workerd, and has the official client read and verify every file of
 * every skill, byte by byte against the disk.
 */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { createBuilder, preview } from 'vite'

// workerd needs nothing from outside.
Object.assign(process.env, { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' })

const root = import.meta.dirname

/** The folders that `vite.config.ts` compiles, and where their skills are served. */
const SOURCES = [
  { folder: 'skills', prefix: '' },
  { folder: 'billing', prefix: 'acme/billing/' },
]

/** Every file on disk, by the skill path and the path below the skill: what must be served. */
async function filesOnDisk(): Promise<Map<string, Map<string, string>>> {
  const skills = new Map<string, Map<string, string>>()
  for (const { folder, prefix } of SOURCES) {
    const base = path.join(root, folder)
    const entries = await readdir(base, { recursive: true, withFileTypes: true })
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(base, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    for (const main of files.filter((file) => path.posix.basename(file) === 'SKILL.md')) {
      const skill = path.posix.dirname(main)
      const held = files.filter((file) => file.startsWith(`${skill}/`))
      skills.set(
        prefix + skill,
        new Map(held.map((file) => [file.slice(skill.length + 1), path.join(base, file)])),
      )
    }
  }
  return skills
}

/** What differs between the server and the disk, and what was compared. */
async function verify(
  client: SkillsClient,
): Promise<{ differences: string[]; skills: number; files: number }> {
  const expected = await filesOnDisk()
  const differences: string[] = []
  let verified = 0
  const { skills } = await client.list()
  for (const listed of skills) {
    const { skill } = await client.get(listed.uri)
    const skillPath = new URL(skill.uri).href.slice('skill://'.length, -'/SKILL.md'.length)
    const onDisk = expected.get(skillPath) ?? new Map<string, string>()
    expected.delete(skillPath)
    const found: string[] = []
    let bytes = 0
    for (const { uri } of skill.resources as { uri: string }[]) {
      const file = decodeURIComponent(uri.slice(`skill://${skillPath}/`.length))
      const source = onDisk.get(file)
      onDisk.delete(file)
      if (source === undefined) found.push(`${uri} is not on disk`)
      else {
        const served = await client.read(skill, uri)
        if (!served.verified) found.push(`${uri} was not verified`)
        if (!(await readFile(source)).equals(served.bytes)) found.push(`${uri} differs from ${source}`)
        bytes += served.bytes.length
        verified++
      }
    }
    found.push(...[...onDisk.values()].map((file) => `${file} is not served`))
    const count = `${(skill.resources as unknown[]).length} files`.padStart(9)
    const size = `${bytes} bytes`.padStart(12)
    console.log(`${skillPath.padEnd(30)} ${count} ${size}   ${found.length ? 'DIFFERS' : 'verified'}`)
    differences.push(...found)
  }
  differences.push(...[...expected.keys()].map((skill) => `The skill ${skill} is not listed`))
  return { differences, skills: skills.length, files: verified }
}

const builder = await createBuilder({ root, logLevel: 'warn' })
await builder.buildApp()
const server = await preview({ root, logLevel: 'warn', preview: { port: 0, host: '127.0.0.1' } })
const [url] = server.resolvedUrls!.local
const client = new Client({ name: 'demo', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
try {
  await client.connect(new StreamableHTTPClientTransport(new URL(url!)))
  console.log(`workerd at ${url}, protocol ${client.getNegotiatedProtocolVersion()}\n`)
  const { differences, skills, files } = await verify(new SkillsClient(client))
  if (differences.length) {
    console.error(`\n${differences.join('\n')}`)
    process.exitCode = 1
  } else console.log(`\nverified ${skills} skills, ${files} files`)
} finally {
  await client.close()
  await server.close()
}
