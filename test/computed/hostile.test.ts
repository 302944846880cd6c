/** Requests that are after what they may not have, through real servers. Hostile answers: provider.test.ts. */
import path from 'node:path'
import { compile } from '@embed-skills/compiler'
import { joinSkills } from '@embed-skills/runtime'
import { authorize } from '@embed-skills/runtime/access'
import { defineSkill, skillRoute } from '@embed-skills/runtime/define'
import { provider } from '@embed-skills/runtime/provider'
import { describe, expect, test } from 'vitest'
import { importSkills } from '../support/modules.ts'
import { connect, kinds, recorder, serve } from './support.ts'

const description = 'Does something. Use it.'
const root = path.join(import.meta.dirname, '../../playground/worker')
const compiled = await importSkills((await compile('skills/**', { root })).skills)

/** What a provider, a route and a rule were asked for. */
function spying() {
  const asked: string[] = []
  const params: string[] = []
  const dynamic = (name: string) => ({
    uri: `skill://open/${name}/SKILL.md`,
    frontmatter: { name, description },
    resources: 'dynamic' as const,
  })
  const source = joinSkills(
    compiled,
    defineSkill('code', { description }, { 'a/b.md': () => 'b' }),
    skillRoute('records/:id/review', ({ id }) => {
      params.push(id)
      return defineSkill('review', { description }, { 'a/b.md': id })
    }),
    provider({
      // It answers for everything, so that only what it is asked for keeps anybody out.
      get(uri) {
        asked.push(uri)
        return uri === 'skill://open/x/SKILL.md' ? dynamic('x') : null
      },
      read(uri) {
        asked.push(uri)
        return 'content'
      },
      readDirectory(uri) {
        asked.push(uri)
        return [{ uri: `${uri}/y.md` }]
      },
    }),
  )
  return { source, asked, params }
}

/** How a path is led astray. `x` stands for what is there. */
const ASTRAY = [
  '../x',
  'a/../x',
  './x',
  'a/./x',
  '%2e%2e/x',
  '%2E%2e/x',
  '.%2e/x',
  'a/%2e/x',
  '..%2fx',
  '..%2Fx',
  'a%2fx',
  '..%5cx',
  '..\\x',
  'a%00',
  'a\0',
  'a%0ax',
  'a%7f',
  'a%c2%85',
  '/x',
  'a//x',
  'a/',
  'a?x',
  'a#x',
  '%',
  '%zz',
  '%c0%ae%c0%ae/x',
  '%ed%a0%80',
  '\ud800',
]

const FOLDERS = ['skill://open/x', 'skill://code', 'skill://records/7/review', 'skill://incident-response']

describe.each(kinds)('%s', (kind) => {
  test.each(FOLDERS)('E11, A8: traversal below %s leads nowhere', async (folder) => {
    const { source, asked, params } = spying()
    const logger = recorder()
    const { rpc } = await connect(serve(kind, source, { logger }))
    for (const astray of ASTRAY)
      for (const uri of [`${folder}/${astray}`, `${folder}/${astray}/SKILL.md`])
        for (const method of ['resources/read', 'resources/directory/read', 'skills/get']) {
          // What no header can say is refused before it is sent.
          const { result, error } = await rpc(method, { uri }).catch((error) =>
            /header|ByteString/i.test(String(error)) ? { result: undefined, error: { code: -32602 } } : error,
          )
          expect([uri, method, result, error?.code]).toEqual([uri, method, undefined, -32602])
        }
    for (const uri of asked)
      for (const segment of uri.slice('skill://'.length).split('/'))
        expect(decodeURIComponent(segment)).toMatch(/^(?!\.{1,2}$)[^/\\\p{Cc}]+$/u)
    for (const id of params) expect(id).toMatch(/^[\da-z][\w.~-]*$/i)
    expect(logger.messages).toEqual([])
  })

  test.each(FOLDERS)('E11: what is encoded twice below %s is decoded once', async (folder) => {
    const { source, asked } = spying()
    const { rpc } = await connect(serve(kind, source))
    for (const twice of ['%252e%252e/SKILL.md', '%252e%252e%252fx', 'a%252fb.md', '%2525', '%2553KILL.md']) {
      const uri = `${folder}/${twice}`
      const { result, error } = await rpc('resources/read', { uri })
      // A dynamic skill of a provider may have a file of any name: this is the name, and the one spelling of it.
      expect([result?.contents[0].uri, error?.code, asked.includes(uri)]).toEqual(
        folder === 'skill://open/x' ? [uri, undefined, true] : [undefined, -32602, false],
      )
    }
    // Once is another spelling of the same file.
    const once = await rpc('resources/read', { uri: `${folder}/%53KILL.md` })
    expect(once.result.contents[0].uri).toBe(`${folder}/SKILL.md`)
  })

  test('routes get no segment that cannot be one of a path', async () => {
    const { source, params } = spying()
    const { rpc } = await connect(serve(kind, source))
    for (const id of [
      '%2e%2e',
      '..',
      '%2f',
      'a%2fb',
      '%20',
      '-a',
      '.a',
      '%41',
      'a%00',
      '',
      'a/b',
      'ä',
      '%C3%A4',
    ])
      for (const method of ['skills/get', 'resources/read'])
        await rpc(method, { uri: `skill://records/${id}/review/SKILL.md` }).catch(() => {})
    // `%41` is the letter A.
    expect(new Set(params)).toEqual(new Set(['A']))
  })

  test('what is no URI, or none of ours, is asked of nobody', async () => {
    const { source, asked, params } = spying()
    const rules: string[] = []
    const ruled = authorize(source, ({ uri }) => rules.push(uri) > 0)
    const { rpc } = await connect(serve(kind, ruled))
    for (const uri of [
      undefined,
      null,
      7,
      {},
      ['skill://open/x/SKILL.md'],
      '',
      'skill:',
      'skill://',
      'skill:///',
      'file:///etc/passwd',
      'skills://open/x',
      'x'.repeat(100_000),
    ])
      for (const method of ['skills/get', 'resources/read', 'resources/directory/read'])
        expect((await rpc(method, { uri })).error?.code).toBe(-32602)
    expect([asked, params, rules]).toEqual([[], [], []])
  })

  test.each([
    ['a huge one', 'skill:'.padEnd(1 << 20, 'A')],
    ['an object', { uri: 'skill://code/SKILL.md' }],
    ['an array', ['skill://code/SKILL.md']],
    ['a traversal', 'skill://code/../open/x/SKILL.md'],
    ['another scheme', 'file:///etc/passwd'],
  ])('M9: a cursor that is %s is refused', async (_, cursor) => {
    const { rpc } = await connect(serve(kind, spying().source))
    for (const [method, params] of [
      ['skills/list', {}],
      ['resources/directory/read', { uri: 'skill://code' }],
    ] as const)
      expect((await rpc(method, { ...params, cursor })).error?.code).toBe(-32602)
  })
})
