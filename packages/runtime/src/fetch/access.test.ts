import { expect, test } from 'vitest'
import { requiredScopes } from '../access.ts'
import { instructions } from '../instructions.ts'
import { SKILLS, call, post } from '../testing/skills.ts'
import { guard } from './guard.ts'
import { serveSkills } from './serve.ts'
import { withSkills } from './with-skills.ts'

const info = { name: 'acme', version: '1' }
const restricted = requiredScopes(SKILLS, ['skills'])
const caller = { clientId: 'me', scopes: ['skills'] }
const authenticate = (request: Request): object =>
  request.headers.has('authorization') ? caller : { clientId: 'other', scopes: [] }
const unknown = (): Response => Response.json({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: '' } })

async function namesOf(
  server: { fetch(request: Request): Promise<Response> },
  token?: string,
): Promise<string[]> {
  const response = await server.fetch(post(call('skills/list'), token ? { authorization: token } : {}))
  const { result } = (await response.json()) as { result: { skills: { frontmatter: { name: string } }[] } }
  return result.skills.map(({ frontmatter }) => frontmatter.name)
}

test('access rules need a verified caller, and withSkills says so by authenticate', () => {
  expect(() => serveSkills(restricted, info)).toThrow('verified: true')
  expect(() => withSkills(unknown, restricted, { auth: 'public' })).toThrow('verified: true')
})

test.each([
  ['guard', guard(serveSkills(restricted, info, { verified: true }), { authenticate })],
  ['withSkills', withSkills(unknown, restricted, { authenticate })],
  [
    'guard around withSkills',
    guard(withSkills(unknown, restricted, { auth: 'public', verified: true }), { authenticate }),
  ],
])('%s: the rules are asked of the caller', async (_, server) => {
  expect(await namesOf(server, 'Bearer a')).toEqual(['invoices', 'refunds'])
  expect(await namesOf(server)).toEqual([])
})

test('instructions name what the caller may see', async () => {
  expect(await instructions(restricted, { authInfo: caller })).toContain('skill://refunds/SKILL.md')
  expect(await instructions(restricted)).not.toContain('skill://refunds/SKILL.md')
})
