/** Requests to an MCP server, right and wrong, made from a seed. */

export interface TestRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const INFO = 'io.modelcontextprotocol/clientInfo'

const OMIT = Symbol('left out')
type Choice = readonly [weight: number, value: unknown][]

/** What may stand in each place. What is right is likely, so that most requests are wrong in few places. */
const METHODS: Choice = [
  [6, 'skills/list'],
  [6, 'skills/get'],
  [6, 'resources/read'],
  [4, 'resources/list'],
  [4, 'resources/directory/read'],
  [2, 'resources/templates/list'],
  [3, 'initialize'],
  [2, 'ping'],
  [3, 'server/discover'],
  [1, 'tools/list'],
  [1, 'tools/call'],
  [1, 'prompts/list'],
  [1, 'completion/complete'],
  [1, 'logging/setLevel'],
  [1, 'resources/subscribe'],
  [1, 'nothing/known'],
  [1, 'constructor'],
  [1, ''],
  [2, 'notifications/initialized'],
  [1, 'notifications/nothing'],
  [0.5, 7],
  [0.5, null],
]
const URIS: Choice = [
  [4, 'skill://refunds/SKILL.md'],
  [3, 'skill://refunds/data/reasons.csv'],
  [3, 'skill://refunds/data/Q&A%201.md'],
  [1, 'skill://refunds/data/Q%26A%201.md'],
  [1, 'SKILL://refunds/SKILL.md'],
  [2, 'skill://refunds/logo.png'],
  [3, 'skill://refunds/data'],
  [2, 'skill://refunds'],
  [2, 'skill://acme'],
  [2, 'skill://acme/billing/invoices/SKILL.md'],
  [2, 'skill://refunds/partial/SKILL.md'],
  [1, 'skill://refunds/data/'],
  [1, 'skill://refunds/none.md'],
  [1, 'skill://refunds/data/../SKILL.md'],
  [1, 'skill://refunds/data/%2e%2e/SKILL.md'],
  [1, 'skill://refunds%2FSKILL.md'],
  [1, 'skill://refunds/SKILL.md?x=1'],
  [1, 'skill://refunds/SKILL.md#x'],
  [1, 'skill://refunds/%zz'],
  [1, 'https://acme.example/'],
  [1, 'no uri'],
  [1, ''],
  [0.5, 7],
  [0.5, null],
  [0.5, ['skill://refunds/SKILL.md']],
  [3, OMIT],
]
const CURSORS: Choice = [
  [8, OMIT],
  [1, ''],
  [0.5, 7],
  [0.5, null],
  [0.5, 'not a cursor'],
]
const LEGACY_VERSIONS: Choice = [
  [4, '2025-11-25'],
  [1, '2025-06-18'],
  [1, '2025-03-26'],
  [1, '2024-11-05'],
]
const IDS: Choice = [
  [8, 1],
  [2, 'a'],
  [1, 0],
  [1, ''],
  [1, null],
  [1, 1.5],
  [1, {}],
  [1, OMIT],
]

/** A generator of numbers that gives the same ones on every machine (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function* requests(count: number, seed: number): Generator<TestRequest> {
  const random = randomOf(seed)
  const pick = (choice: Choice): any => {
    let rest = random() * choice.reduce((sum, [weight]) => sum + weight, 0)
    return choice.find(([weight]) => (rest -= weight) < 0)![1]
  }
  const often = (right: unknown, ...wrong: unknown[]): any =>
    pick([[12 * wrong.length, right], ...wrong.map((value) => [1, value] as const)] as Choice)
  const without = (fields: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== OMIT))

  function paramsOf(method: unknown): Record<string, unknown> {
    switch (method) {
      case 'skills/get':
      case 'resources/read':
      case 'resources/subscribe':
        return without({ uri: pick(URIS) })
      case 'resources/directory/read':
        return without({ uri: pick(URIS), cursor: pick(CURSORS) })
      case 'skills/list':
      case 'resources/list':
      case 'resources/templates/list':
        return without({ cursor: pick(CURSORS) })
      case 'initialize':
        return without({
          protocolVersion: often(pick(LEGACY_VERSIONS), '2026-07-28', '1999-01-01', 7, OMIT),
          capabilities: often({}, OMIT, 7),
          clientInfo: often({ name: 'test', version: '1.0.0' }, OMIT, 'test'),
        })
      default:
        return {}
    }
  }

  function message(isModern: boolean): Record<string, unknown> {
    const method = pick(METHODS)
    const isNotification = String(method).startsWith('notifications/')
    const meta = without({
      [VERSION]: often('2026-07-28', '2025-11-25', '2027-01-01', '', 7, OMIT),
      [CAPABILITIES]: often({}, OMIT, 7, []),
      [INFO]: often({ name: 'test', version: '1.0.0' }, OMIT),
    })
    const params = { ...paramsOf(method), ...(isModern && { _meta: often(meta, OMIT, 7, null) }) }
    return without({
      jsonrpc: often('2.0', '1.0', OMIT),
      id: isNotification ? often(OMIT, 1) : random() < 0.7 ? 1 : pick(IDS),
      method: often(method, OMIT),
      params: often(without(params), OMIT, [], null, 'x'),
      extra: often(OMIT, 1),
    })
  }

  function headersOf(sent: unknown, isModern: boolean): Record<string, unknown> {
    const { method, params } = Object(sent) as { method?: unknown; params?: { uri?: unknown } }
    const uri = typeof params?.uri === 'string' ? params.uri : OMIT
    const base64 = `=?base64?${btoa(String(params?.uri))}?=`
    const common = {
      'content-type': often('application/json', 'application/json; charset=utf-8', 'text/plain', '', OMIT),
      accept: often(
        'application/json, text/event-stream',
        'application/json',
        'text/event-stream',
        '*/*',
        'text/html',
        OMIT,
      ),
    }
    if (!isModern) {
      const version = random() < 0.7 ? pick(LEGACY_VERSIONS) : OMIT
      return { ...common, 'mcp-protocol-version': often(version, '2026-07-28', '2027-01-01', '1999-01-01') }
    }
    return {
      ...common,
      'mcp-protocol-version': often('2026-07-28', '2025-11-25', '2027-01-01', OMIT),
      'mcp-method': often(typeof method === 'string' ? method : OMIT, 'skills/other', OMIT),
      'mcp-name':
        method === 'resources/read'
          ? often(uri, base64, '=?base64?***?=', '=?base64?***?=', 'other', OMIT)
          : OMIT,
    }
  }

  function bodyOf(isModern: boolean): unknown {
    const response = { jsonrpc: '2.0', id: 1, result: {} }
    switch (
      pick([
        [20, 'one'],
        [3, 'batch'],
        [1, 'response'],
        [1, 'other'],
      ])
    ) {
      case 'batch':
        return Array.from({ length: Math.floor(random() * 4) }, (_, index) => {
          const element = pick([
            [8, message(often(false, true))],
            [1, response],
            [1, 7],
          ])
          return Object(element) === element && 'id' in element ? { ...element, id: index } : element
        })
      case 'response':
        return pick([
          [1, response],
          [1, { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } }],
          [1, { jsonrpc: '2.0', id: 1 }],
        ])
      case 'other':
        return pick([
          [1, null],
          [1, 7],
          [1, 'x'],
          [1, {}],
          [1, true],
        ])
      default:
        return message(isModern)
    }
  }

  for (let index = 0; index < count; index++) {
    const isModern = random() < 0.5
    const method = often('POST', 'GET', 'DELETE', 'PUT')
    const sent = bodyOf(isModern)
    const headers = without(headersOf(sent, isModern)) as Record<string, string>
    const body = often(JSON.stringify(sent), '{', '', 'no json')
    yield { method, headers, ...(method !== 'GET' && { body }) }
  }
}
