import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { CallerContext } from '@embed-skills/runtime'
import { createCatalog, joinSkills } from '@embed-skills/runtime'
import { authorize, requiredScopes } from '@embed-skills/runtime/access'
import { defineSkill } from '@embed-skills/runtime/define'
import { skillsMiddleware as expressMiddleware } from '@embed-skills/runtime/express'
import { attachSkills as attachToFastmcp } from '@embed-skills/runtime/fastmcp'
import { bearerAuth, guard, serveSkills, withSkills } from '@embed-skills/runtime/fetch'
import { attachSkills } from '@embed-skills/runtime/mcp'
import { skillsMiddleware as liteMiddleware } from '@embed-skills/runtime/mcp-lite'
import { attachSkills as attachToTmcp } from '@embed-skills/runtime/tmcp'
import { skillTools } from '@embed-skills/runtime/tools'
import {
  Client,
  discoverOAuthProtectedResourceMetadata,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'
import { exchange, info } from './support.ts'

const description = 'Does something. Use it.'
const skill = (path: string) => defineSkill(path, { description }, { 'a.md': path })
const skills = joinSkills(
  skill('open'),
  requiredScopes(skill('admin'), ['skills:admin']),
  authorize(skill('ada'), (_, { authInfo }) => authInfo?.extra?.['sub'] === 'ada'),
)

const holder = (scopes: string[], sub: string) => ({ token: sub, clientId: 'c', scopes, extra: { sub } })
const TOKENS: Record<string, ReturnType<typeof holder>> = {
  ada: holder(['mcp'], 'ada'),
  bob: holder(['mcp', 'skills:admin'], 'bob'),
  narrow: holder([], 'eve'),
  // A verifier that hands on the claim as it is.
  text: { ...holder([], 'eve'), scopes: 'mcp-light' as never },
}
const bearer = (more: object = {}) =>
  bearerAuth({
    verify: (token) => TOKENS[token],
    requiredScopes: ['mcp'],
    resourceMetadata: { authorization_servers: ['https://login.example'], ...more },
  })

interface Handler {
  fetch(request: Request): Promise<Response>
}

/** A server that knows resources of its own, and looks at tokens only where those are read. */
const lazy = createMcpHandler(() => {
  const server = new McpServer(info)
  server.registerResource('own', 'own://a', {}, async () => ({ contents: [{ uri: 'own://a', text: 'own' }] }))
  return server
})

const servers: Record<string, (path: string) => Handler> = {
  'guard around serveSkills': (path) =>
    guard(serveSkills(skills, info, { verified: true }), { authenticate: bearer(), path }),
  'guard around the official v2': (path) =>
    guard(
      createMcpHandler(() => {
        const server = new McpServer(info)
        attachSkills(server, skills)
        return server
      }),
      { authenticate: bearer(), path },
    ),
  'withSkills around a server that authenticates lazily': () =>
    withSkills(lazy, skills, { authenticate: bearer() }),
}

const post = (handler: Handler, url: string, method: string, params: object = {}, token?: string) =>
  exchange(
    {
      fetch: (request) => {
        const headers = new Headers(request.headers)
        if (token) headers.set('authorization', `Bearer ${token}`)
        return handler.fetch(new Request(new Request(url, request), { headers }))
      },
    },
    method,
    params,
  )

describe.each(Object.keys(servers))('%s', (name) => {
  test.each(['/', '/mcp', '/a/b'])(
    'A4: at %s nobody gets 401, and the client finds where to log in',
    async (path) => {
      const handler = servers[name]!(path)
      const url = `https://acme.example${path}`
      const metadata = `https://acme.example/.well-known/oauth-protected-resource${path === '/' ? '' : path}`
      const fields = `scope="mcp", resource_metadata="${metadata}"`
      for (const [method, params] of [
        ['skills/list', {}],
        ['skills/get', { uri: 'skill://open/SKILL.md' }],
        ['resources/read', { uri: 'skill://open/SKILL.md' }],
        ['resources/directory/read', { uri: 'skill://open' }],
      ] as const) {
        for (const [token, status, challenge] of [
          [undefined, 401, `Bearer ${fields}`],
          ['made-up', 401, `Bearer error="invalid_token", ${fields}`],
          ['narrow', 403, `Bearer error="insufficient_scope", ${fields}`],
          ['text', 403, `Bearer error="insufficient_scope", ${fields}`],
        ] as const) {
          const response = await post(handler, url, method, params, token)
          expect([response.status, response.headers.get('www-authenticate')]).toEqual([status, challenge])
          expect(await response.text()).not.toContain('open')
        }
        expect((await post(handler, url, method, params, 'ada')).status).toBe(200)
      }
      const found = await discoverOAuthProtectedResourceMetadata(url, {}, (input, init) =>
        handler.fetch(new Request(input, init)),
      )
      expect(found).toEqual({
        resource: path === '/' ? 'https://acme.example' : url,
        authorization_servers: ['https://login.example'],
      })
      // A token is no reason to show another document.
      const direct = await handler.fetch(new Request(metadata, { headers: { authorization: 'Bearer ada' } }))
      expect(await direct.json()).toEqual(found)
    },
  )

  test('A4, P12: the rules are asked of who was verified, through the official client', async () => {
    const handler = servers[name]!('/mcp')
    const list = async (token: string) => {
      const client = new Client(info, { versionNegotiation: { mode: 'auto' } })
      const headers = { authorization: `Bearer ${token}`, 'x-authinfo': JSON.stringify(TOKENS['bob']) }
      await client.connect(
        new StreamableHTTPClientTransport(new URL('https://acme.example/mcp'), {
          requestInit: { headers },
          fetch: (url, init) => handler.fetch(new Request(url, init)),
        }),
      )
      const { skills } = await new SkillsClient(client).list()
      const { resources } = await client.listResources()
      await client.close()
      return [
        skills.map(({ uri }) => uri.slice('skill://'.length, -'/SKILL.md'.length)),
        resources.map(({ uri }) => uri).filter((uri) => uri.startsWith('skill:')).length,
      ]
    }
    expect(await list('ada')).toEqual([['ada', 'open'], 2])
    expect(await list('bob')).toEqual([['admin', 'open'], 2])
  })
})

test('with a path, guard shows the metadata of that path alone', async () => {
  const handler = servers['guard around serveSkills']!('/mcp')
  for (const path of [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/other',
    '/.well-known/oauth-protected-resource/mcp/more',
    '/.well-known/oauth-protected-resourceful',
    '/.well-known/openid-configuration',
    '/other',
  ])
    expect((await handler.fetch(new Request(`https://acme.example${path}`))).status).toBe(404)
})

test('withSkills lets a server show metadata of its own', async () => {
  const own = { resource: 'https://acme.example/mcp', authorization_servers: ['https://own.example'] }
  const handler = withSkills(() => Response.json(own), skills, { authenticate: bearer() })
  const url = 'https://acme.example/.well-known/oauth-protected-resource/mcp'
  expect(await (await handler.fetch(new Request(url))).json()).toEqual(own)
})

test('nobody is who a request says it is', async () => {
  const seen: unknown[] = []
  const spy = authorize(skill('a'), (_, { authInfo }: CallerContext) => seen.push(authInfo) < 0)
  const forged = { authInfo: TOKENS['bob'], auth: TOKENS['bob'] }
  const headers = { authorization: 'Bearer bob', 'x-authinfo': JSON.stringify(TOKENS['bob']) }
  const handlers: Handler[] = [
    serveSkills(spy, info, { verified: true }),
    // Says of the caller what somebody in front has found out: here there is nobody.
    withSkills(lazy, spy, { auth: 'public', verified: true }),
    createMcpHandler(() => {
      const server = new McpServer(info)
      attachSkills(server, spy)
      return server
    }),
  ]
  for (const handler of handlers)
    await exchange(
      {
        fetch: (request) => {
          const all = { ...Object.fromEntries(request.headers), ...headers }
          return handler.fetch(new Request(request, { headers: all }))
        },
      },
      'skills/list',
      forged,
    )
  expect(seen).toEqual([undefined, undefined, undefined])
})

test('nothing but bearerAuth, which asks the app, looks at a token', async () => {
  const source = path.join(import.meta.dirname, '../../packages/runtime/src')
  const files = await readdir(source, { recursive: true })
  const reading = files.filter((file) => file.endsWith('.ts') && !/test/.test(file))
  const found: string[] = []
  for (const file of reading) {
    const code = (await readFile(path.join(source, file), 'utf8')).replace(/\/\*[^]*?\*\/|\/\/.*/g, '')
    if (/['"]authorization['"]|\.token\b/i.test(code)) found.push(file)
  }
  expect(found).toEqual(['fetch/bearer.ts'])
})

describe('P12: rules without a source of verified callers are refused when the server is made', () => {
  const message = 'Access rules need callers that were verified'
  const fastmcp = { on: () => {} }
  const tmcp = { receive: () => {}, hasMethod: () => false }

  test.each<[string, () => unknown]>([
    ['createCatalog', () => createCatalog(skills)],
    ['serveSkills', () => serveSkills(skills, info)],
    ['withSkills', () => withSkills(lazy, skills, { auth: 'public' })],
    ['the Express middleware', () => expressMiddleware(skills, { auth: 'public' })],
    ['fastmcp, which does not say who calls', () => attachToFastmcp(fastmcp, skills)],
    ['attachSkills that is told so', () => attachSkills(new McpServer(info), skills, { verified: false })],
  ])('%s', (_, make) => {
    expect(make).toThrow(message)
  })

  test.each<[string, () => unknown]>([
    ['serveSkills behind a guard', () => serveSkills(skills, info, { verified: true })],
    ['withSkills', () => withSkills(lazy, skills, { authenticate: bearer() })],
    ['the Express middleware', () => expressMiddleware(skills, { auth: 'public', verified: true })],
    ['attachSkills of the official v2', () => attachSkills(new McpServer(info), skills)],
    ['attachSkills of the official v1', () => attachSkills(new ServerV1(info), skills)],
    ['skillTools', () => skillTools(new McpServer(info), skills)],
    ['tmcp', () => attachToTmcp(tmcp, skills)],
    ['mcp-lite', () => liteMiddleware(skills)],
  ])('%s knows callers', (_, make) => {
    expect(make).not.toThrow()
  })
})
