import { expect, test } from 'vitest'
import type { SkillSource } from './source.ts'
import { createCatalog } from './catalog.ts'
import { compiledSet } from './testing/set.ts'

const names = Array.from({ length: 5 }, (_, index) => `s${index}`)
const set = compiledSet(Object.fromEntries(names.map((name) => [name, { 'SKILL.md': name }])))

async function walk(pageSize: number): Promise<string[][]> {
  const catalog = createCatalog(set, { pageSize })
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const page = await catalog.list({ cursor }, {})
    pages.push(page.skills.map(({ frontmatter }) => frontmatter.name))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return pages
}

test('N13: pages are as long as they may be, and there is no empty one at the end', async () => {
  expect(await walk(2)).toEqual([['s0', 's1'], ['s2', 's3'], ['s4']])
  expect(await walk(5)).toEqual([names])
  expect(await walk(1)).toEqual(names.map((name) => [name]))
})

test('a cursor past the end gives an empty page', async () => {
  const { skills, nextCursor } = await createCatalog(set).list({ cursor: 'skill://z/SKILL.md' }, {})
  expect({ skills, nextCursor }).toEqual({ skills: [], nextCursor: undefined })
})

test('an empty set is a catalog like others', async () => {
  const catalog = createCatalog(compiledSet({}))
  expect(await catalog.list({}, {})).toEqual({ skills: [] })
  expect(await catalog.resources({}, {})).toEqual({ resources: [] })
})

test('N17: without directory reads there is no such answer', () => {
  expect(createCatalog(set)).toHaveProperty('readDirectory')
  expect(createCatalog(set, { directoryRead: false })).not.toHaveProperty('readDirectory')
})

test('N13: hints are 0 and private unless said', () => {
  expect(createCatalog(set).cacheHints).toEqual({ ttlMs: 0, cacheScope: 'private' })
  expect(createCatalog(set, { ttlMs: 5, cacheScope: 'public' }).cacheHints).toEqual({
    ttlMs: 5,
    cacheScope: 'public',
  })
})

test('N16: a catalog is taken as it is', () => {
  const catalog = createCatalog(set)
  expect(createCatalog(catalog)).toBe(catalog)
})

test('a source is asked for canonical URIs, and with the request that it answers', async () => {
  const asked: unknown[] = []
  const source: SkillSource = {
    list: () => ({ items: [], more: false }),
    get: () => undefined,
    read: (uri, context) => {
      asked.push([uri, context])
      return { uri, text: 'T' }
    },
    readDirectory: () => undefined,
  }
  const context = { authInfo: 'someone' }
  await createCatalog(source).read({ uri: 'SKILL://a/%62 c' }, context)
  expect(asked).toEqual([['skill://a/b%20c', context]])
})

test.each(['get', 'read', 'readDirectory'] as const)('%s: what is not served is -32602', async (method) => {
  const catalog = createCatalog(set)
  for (const uri of ['skill://nobody/SKILL.md', 'file:///etc/passwd', undefined, 7])
    await expect(catalog[method]!({ uri }, {})).rejects.toMatchObject({
      code: -32602,
      message: `Not found: ${uri}`,
    })
})
