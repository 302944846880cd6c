import { describe, expect, test, vi } from 'vitest'
import type { WithSkillsOptions } from './with-skills.ts'
import { jsonServer } from '../testing/inner.ts'
import { call, post, SKILLS } from '../testing/skills.ts'
import { withSkills } from './with-skills.ts'

const open: WithSkillsOptions = { auth: 'public' }

describe('bodies', () => {
  test('arrive byte for byte', async () => {
    const text = ' {"jsonrpc":"2.0",  "id":1,"method":"skills/list","params":{"x":"\\u00e9é"}}\n'
    const seen: string[] = []
    const inner = async (request: Request): Promise<Response> => {
      seen.push(await request.text(), request.headers.get('x-custom')!, request.method)
      return Response.json({})
    }
    await withSkills(inner, SKILLS, open).fetch(post(text, { 'x-custom': 'kept' }))
    expect(seen).toEqual([text, 'kept', 'POST'])
  })
  test('over the limit pass untouched, in full', async () => {
    const inner = jsonServer({})
    const request = post(call('skills/list', { x: 'x'.repeat(1000) }))
    const response = await withSkills(inner, SKILLS, { ...open, maxBodyBytes: 100 }).fetch(request)
    expect((await response.json()).error.code).toBe(-32601)
  })
  test('a stream over the limit passes in full', async () => {
    const length = 300_000
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        if (sent === length) controller.close()
        else controller.enqueue(new Uint8Array(10_000).fill(32))
        sent = Math.min(sent + 10_000, length)
      },
    })
    const request = new Request('https://acme.example/', {
      method: 'POST',
      body,
      duplex: 'half',
    } as RequestInit)
    const seen = vi.fn<(bytes: number) => void>()
    const inner = async (request: Request): Promise<Response> => {
      seen((await request.arrayBuffer()).byteLength)
      return new Response('ok')
    }
    await withSkills(inner, SKILLS, { ...open, maxBodyBytes: 50_000 }).fetch(request)
    expect(seen).toHaveBeenCalledWith(length)
  })
  test('that are encoded pass untouched', async () => {
    const inner = vi.fn<(request: Request) => Promise<Response>>(jsonServer({}))
    const request = post(call('skills/list'), { 'content-encoding': 'gzip', 'accept-encoding': 'gzip' })
    await withSkills(inner, SKILLS, open).fetch(request)
    expect(inner.mock.calls[0]![0]).toBe(request)
  })
  test('that are no JSON, and other methods, are for the server', async () => {
    const inner = vi.fn<(request: Request) => Promise<Response>>(async () => new Response('?'))
    const server = withSkills(inner, SKILLS, open)
    expect(await (await server.fetch(post('{'))).text()).toBe('?')
    expect(await (await server.fetch(new Request('https://acme.example/'))).text()).toBe('?')
    expect(
      await (await server.fetch(new Request('https://acme.example/', { method: 'DELETE' }))).text(),
    ).toBe('?')
  })
  test('only requests that may be answered here ask for an answer in the clear', async () => {
    const inner = vi.fn<(request: Request) => Promise<Response>>(
      jsonServer({ 'tools/list': { result: { tools: [] } } }),
    )
    const server = withSkills(inner, SKILLS, open)
    await server.fetch(post(call('skills/list'), { 'accept-encoding': 'gzip' }))
    await server.fetch(post(call('tools/list'), { 'accept-encoding': 'gzip' }))
    expect(inner.mock.calls.map(([request]) => request.headers.get('accept-encoding'))).toEqual([
      'identity',
      'gzip',
    ])
  })
})

describe('headers', () => {
  const extra = {
    'content-length': '70',
    etag: '"1"',
    'content-digest': 'sha-256=:x:',
    'repr-digest': 'sha-256=:x:',
    digest: 'x',
    'mcp-session-id': 'session',
    'set-cookie': 'a=1',
    'access-control-allow-origin': '*',
  }
  test('a replaced answer keeps those that are still true', async () => {
    const response = await withSkills(jsonServer({}, extra), SKILLS, open).fetch(post(call('skills/list')))
    const names = [...response.headers.keys()]
    expect(names.sort()).toEqual([
      'access-control-allow-origin',
      'content-type',
      'mcp-session-id',
      'set-cookie',
    ])
  })
  test('an answer that stands keeps all', async () => {
    const inner = jsonServer({ 'skills/list': { result: { skills: [] } } }, extra)
    const response = await withSkills(inner, SKILLS, open).fetch(post(call('skills/list')))
    for (const [name, value] of Object.entries(extra)) expect(response.headers.get(name)).toBe(value)
  })
  test('an answer that is compressed all the same passes untouched', async () => {
    const inner = async (): Promise<Response> =>
      new Response('zip', { headers: { 'content-encoding': 'gzip' } })
    expect(await (await withSkills(inner, SKILLS, open).fetch(post(call('skills/list')))).text()).toBe('zip')
  })
})
