import readline from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { SkillServer } from '@embed-skills/runtime/fetch'

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const PARSE_ERROR = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'

/**
 * Speaks MCP over two streams, one JSON-RPC message a line, until the input ends. A message becomes a request
 * to the server that answers over HTTP: what it says in headers is in the message already.
 */
export async function serveStdio(server: SkillServer, input: Readable, output: Writable): Promise<void> {
  const pending = new Set<Promise<void>>()
  for await (const line of readline.createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() === '') continue
    const answering = answer(server, line).then((text) => {
      if (text !== undefined) output.write(`${text}\n`)
      pending.delete(answering)
    })
    pending.add(answering)
  }
  await Promise.all(pending)
}

async function answer(server: SkillServer, line: string): Promise<string | undefined> {
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    return PARSE_ERROR
  }
  const request = new Request('http://localhost/', {
    method: 'POST',
    headers: headersOf(message),
    body: line,
  })
  const response = await server.fetch(request)
  // A notification has no answer.
  return (await response.text()) || undefined
}

/** Those that the modern era asks for, with the values that the message has. */
function headersOf(message: unknown): Record<string, string> {
  const { method, params } = Object(message) as { method?: unknown; params?: Record<string, unknown> }
  const version = (Object(params?.['_meta']) as Record<string, unknown>)[VERSION]
  if (typeof version !== 'string' || typeof method !== 'string') return {}
  const uri = params?.['uri']
  return {
    'mcp-protocol-version': asHeader(version),
    'mcp-method': asHeader(method),
    ...(typeof uri === 'string' && { 'mcp-name': asHeader(uri) }),
  }
}

/** As it is where a header can hold it, else as the protocol encodes it. */
function asHeader(value: string): string {
  if (/^[!-~](?:[ -~]*[!-~])?$/.test(value)) return value
  return `=?base64?${Buffer.from(value).toString('base64')}?=`
}
