/* What goes wrong, or away, under access rules, in line and among listeners. */
import { createCatalog, joinSkills } from '@embed-skills/runtime'
import { allowSkills, authorize } from '@embed-skills/runtime/access'
import { defineSkill, skillRoute } from '@embed-skills/runtime/define'
import { liveSkills } from '@embed-skills/runtime/live'
import { provider } from '@embed-skills/runtime/provider'
import type { Logger, SkillSource } from '@embed-skills/runtime'
import type { Mock } from 'vitest'
import { describe, expect, test, vi } from 'vitest'

function loggerOf(): { warn: Mock<Logger['warn']>; error: Mock<Logger['error']> } {
  return { warn: vi.fn<Logger['warn']>(), error: vi.fn<Logger['error']>() }
}

const SECRET = 'skill://secret/SKILL.md'

/** A source of one's own, which fails for one skill alone. */
function failing(fail: () => any): SkillSource {
  return {
    list: () => ({ items: [], more: false }),
    get: (uri) => (uri === SECRET ? fail() : undefined),
    read: () => undefined,
    readDirectory: () => undefined,
  }
}

describe('P12: a source of one\u2019s own that fails for a skill does not tell that it is there', () => {
  const failures: [string, () => unknown][] = [
    [
      'at once',
      () => {
        throw new Error('Broken row')
      },
    ],
    ['later', () => Promise.reject(new Error('Broken row'))],
    [
      'with a code',
      () => {
        throw Object.assign(new Error('Broken row'), { code: -32603 })
      },
    ],
  ]
  test.each(failures)('%s', async (_, fail) => {
    const logger = loggerOf()
    const catalog = createCatalog(
      authorize(failing(fail), () => false),
      { verified: true, logger },
    )
    for (const method of ['get', 'read', 'readDirectory'] as const) {
      const codes = []
      for (const uri of [SECRET, 'skill://nobody/SKILL.md'])
        codes.push(await catalog[method]!({ uri }, {}).catch(({ code }) => code))
      expect([method, codes]).toEqual([method, [-32602, -32602]])
    }
    expect(String(logger.error.mock.calls)).toContain('Broken row')
  })
})

describe('P12: an allow-list', () => {
  const skills = joinSkills(
    ...['a', 'b', 'c', 'd'].map((name) => defineSkill(name, { description: 'One of many.' }, {})),
  )

  test('is asked for once a request, however many skills there are', async () => {
    const paths = vi.fn<() => string[]>(() => ['b', 'c'])
    const catalog = createCatalog(allowSkills(skills, paths), { verified: true })
    for (const times of [1, 2]) {
      expect((await catalog.list({}, {})).skills.map(({ frontmatter }) => frontmatter.name)).toEqual([
        'b',
        'c',
      ])
      expect(paths).toHaveBeenCalledTimes(times)
    }
  })
  test('is no other one\u2019s, though both are of the same skills', async () => {
    const inner = allowSkills(skills, () => ['a', 'b'])
    const both = allowSkills(inner, () => ['b', 'c'])
    const { skills: listed } = await createCatalog(both, { verified: true }).list({}, {})
    expect(listed.map(({ frontmatter }) => frontmatter.name)).toEqual(['b'])
    const one = allowSkills(skills, ({ authInfo }) => [authInfo!.clientId!])
    const catalog = createCatalog(one, { verified: true })
    const seen = await Promise.all(
      ['a', 'd'].map(async (clientId) => (await catalog.list({}, { authInfo: { clientId } })).skills),
    )
    expect(seen.map((skills) => skills.map(({ uri }) => uri))).toEqual([
      ['skill://a/SKILL.md'],
      ['skill://d/SKILL.md'],
    ])
  })
})

describe('who goes away is nobody\u2019s failure', () => {
  test('while a render waits in line', async () => {
    const logger = loggerOf()
    let finish!: () => void
    const slow = new Promise<null>((resolve) => (finish = () => resolve(null)))
    const route = skillRoute('studies/:id/review', () => slow)
    const catalog = createCatalog(route, { logger, concurrency: 1 })
    const gone = new AbortController()
    const get = (id: number, context = {}): Promise<unknown> =>
      catalog.get({ uri: `skill://studies/${id}/review/SKILL.md` }, context).catch(({ code }) => code)
    const first = get(1)
    const second = get(2, { signal: gone.signal })
    gone.abort()
    expect(await second).toBe(-32603)
    finish()
    expect(await first).toBe(-32602)
    expect(logger.error).not.toHaveBeenCalled()
  })
  test('before anything is asked', async () => {
    const logger = loggerOf()
    const list = vi.fn<() => []>(() => [])
    const catalog = createCatalog(provider({ list, get: () => null, readDirectory: () => [] }), { logger })
    await expect(catalog.list({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: -32603 })
    expect(list).not.toHaveBeenCalled()
    expect(logger.error).not.toHaveBeenCalled()
  })
})

test('P15: a listener that throws neither undoes a change nor keeps it from others', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const skills = liveSkills()
  const told = vi.fn<() => void>()
  skills.onChange(() => {
    throw new Error('No more')
  })
  skills.onChange(told)
  skills.add(defineSkill('a', { description: 'The first one.' }, {}))
  expect(told).toHaveBeenCalledOnce()
  expect((await createCatalog(skills).list({}, {})).skills).toHaveLength(1)
  expect(String(said.mock.calls)).toContain('No more')
  said.mockRestore()
})
