import type { CompiledSkills } from '../compiled.ts'

const SHA = '0'.repeat(64)

/** The URI of one of the skills. */
export const SKILL_URI = 'skill://refunds/SKILL.md'

/** A compiled set in the format that the compiler emits, of two skills (digests are not real). */
export const SKILLS: CompiledSkills = {
  format: 1,
  skills: {
    'skill://acme/invoices/SKILL.md': JSON.stringify([
      { name: 'invoices', description: 'Writes invoices.' },
      ['SKILL.md', 'text/markdown', 8, SHA, 0, 't0'],
    ]),
    [SKILL_URI]: JSON.stringify([
      { name: 'refunds', description: 'Pays back.' },
      ['SKILL.md', 'text/markdown', 8, SHA, 1, 't0'],
      ['data/logo.png', 'image/png', 3, SHA, 1, 'b0'],
      ['data/mail.md', 'text/markdown', 4, SHA, 1, 't1'],
    ]),
  },
  load: (group) => (group === 0 ? { t0: 'Invoice.' } : { t0: 'Pay back', t1: 'Dear', b0: 'AQID' }),
}

/** A posted JSON-RPC request. */
export function post(
  message: unknown,
  headers: Record<string, string> = {},
  url = 'https://acme.example/mcp',
): Request {
  return new Request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
}

/** A JSON-RPC request of the legacy era. */
export function call(method: string, params: object = {}, id: string | number = 1): object {
  return { jsonrpc: '2.0', id, method, params }
}
