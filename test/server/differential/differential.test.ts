import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Answer } from './differences.ts'
import { DIFFERENCES, RESULT_DIFFERENCES } from './differences.ts'
import { requests } from './requests.ts'
import { bothServers } from './servers.ts'

const COUNT = Number(process.env['DIFFERENTIAL_REQUESTS'] ?? 6000)
const SEED = Number(process.env['DIFFERENTIAL_SEED'] ?? 1)

test('serveSkills answers generated requests as the official server does, but for what the docs explain', async () => {
  const { ours, official } = await bothServers()
  const docs = await readFile(path.join(import.meta.dirname, '../../../docs/servers/fetch.md'), 'utf8')
  const met = new Map(DIFFERENCES.map((difference) => [difference, 0]))
  const unexplained: unknown[] = []
  for (const request of requests(COUNT, SEED)) {
    const ask = (server: typeof ours): Promise<Answer> =>
      server.fetch(new Request('http://localhost/mcp', request)).then(answerOf)
    const [our, their] = [await ask(ours), await ask(official)]
    if (JSON.stringify(our) === JSON.stringify(their)) continue
    const seen = { headers: new Headers(request.headers), body: parse(request.body) }
    const difference = DIFFERENCES.find(({ is }) => is(seen, our, their))
    if (difference) met.set(difference, met.get(difference)! + 1)
    else unexplained.push({ request, ours: our, official: their })
  }
  expect(unexplained.slice(0, 3)).toEqual([])
  for (const [{ why }, count] of met) {
    console.log(`${String(count).padStart(4)} of ${COUNT}: ${why}`)
    expect(count, `no longer met: ${why}`).toBeGreaterThan(0)
  }
  for (const { why } of [...DIFFERENCES, ...RESULT_DIFFERENCES]) expect(docs).toContain(why)
})

test('subscriptions/listen is unknown', async () => {
  const { ours, official } = await bothServers()
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { _meta, notifications: { resourcesListChanged: true } }
  const request = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }),
  }
  const our = await ours.fetch(new Request('http://localhost/mcp', request))
  expect([our.status, (await our.json()).error.code]).toEqual([404, -32601])
  const their = await official.fetch(new Request('http://localhost/mcp', request))
  expect([their.status, their.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  await their.body!.cancel()
})

/** An answer without what may differ: texts, key order, the order in a batch, what only the SDK declares. */
async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text()
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  const parts = isStream ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data!) : text ? [text] : []
  const messages = parts
    .flatMap((part) => JSON.parse(part) as any)
    .map(({ id, error, result }) => ({
      id,
      ...(error && { code: error.code }),
      ...(result && { result: sorted(result) }),
    }))
  return {
    status: response.status,
    messages: messages.sort((a, b) => (JSON.stringify(a.id) < JSON.stringify(b.id) ? -1 : 1)),
  }
}

function sorted(value: any): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (Object(value) !== value) return value
  const kept = Object.keys(value).filter(
    (key) => !RESULT_DIFFERENCES.some((difference) => difference.is(key, value[key], value)),
  )
  return Object.fromEntries(kept.sort().map((key) => [key, sorted(value[key])]))
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text!)
  } catch {
    return undefined
  }
}
