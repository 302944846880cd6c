/** A request of the modern era, as a client sends it. */
export function requestFor(method: string, params: Record<string, unknown> = {}): () => Request {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } })
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
  }
  if (method === 'resources/read') headers['mcp-name'] = String(params['uri'])
  return () => new Request('http://localhost/', { method: 'POST', headers, body })
}
