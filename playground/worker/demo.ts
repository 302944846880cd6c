/**
 * Builds the Worker, runs it in workerd, and has the official client read and verify every file of
 * every skill, byte by byte against the disk.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { createBuilder, preview } from 'vite'
import { verify } from './verify.ts'

// workerd needs nothing from outside.
Object.assign(process.env, { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' })

const root = import.meta.dirname
const builder = await createBuilder({ root, logLevel: 'warn' })
await builder.buildApp()
const server = await preview({ root, logLevel: 'warn', preview: { port: 0, host: '127.0.0.1' } })
const [url] = server.resolvedUrls!.local
const client = new Client({ name: 'demo', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
try {
  await client.connect(new StreamableHTTPClientTransport(new URL(url!)))
  console.log(`workerd at ${url}, protocol ${client.getNegotiatedProtocolVersion()}\n`)
  const reports = await verify(new SkillsClient(client), root)
  for (const { path, files, bytes, differences } of reports) {
    const verdict = differences.length ? 'DIFFERS' : 'verified'
    console.log(
      `${path.padEnd(30)} ${String(files).padStart(3)} files ${String(bytes).padStart(7)} bytes   ${verdict}`,
    )
  }
  const differences = reports.flatMap((report) => report.differences)
  if (differences.length) {
    console.error(`\n${differences.join('\n')}`)
    process.exitCode = 1
  } else {
    const files = reports.reduce((count, report) => count + report.files, 0)
    console.log(`\nverified ${reports.length} skills, ${files} files`)
  }
} finally {
  await client.close()
  await server.close()
}
