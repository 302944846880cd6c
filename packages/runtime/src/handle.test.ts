import { expect, test } from 'vitest'
import { createCatalog } from './catalog.ts'
import { ProtocolError } from './errors.ts'
import { capabilitiesOf, handle } from './handle.ts'
import { instructions } from './instructions.ts'
import { skillUri } from './skill-uri.ts'
import { SKILLS } from './testing/skills.ts'

const catalog = createCatalog(SKILLS, { ttlMs: 1000, cacheScope: 'public' })

test('handle answers methods of skills, and throws errors with their codes', async () => {
  expect(await handle(catalog, 'skills/get', { uri: 'skill://refunds/SKILL.md' })).toHaveProperty('skill')
  const refused = await handle(catalog, 'skills/get', { uri: 'skill://none/SKILL.md' }).catch(
    (error) => error,
  )
  expect(refused).toBeInstanceOf(ProtocolError)
  expect(refused.code).toBe(-32602)
  await expect(handle(catalog, 'tools/list')).rejects.toMatchObject({ code: -32601 })
  await expect(handle(catalog, 'constructor')).rejects.toMatchObject({ code: -32601 })
})

test('results have what their revision asks for', async () => {
  expect(Object.keys(await handle(catalog, 'skills/list'))).toEqual(['skills'])
  expect(await handle(catalog, 'skills/list', {}, { protocolVersion: '2026-07-28' })).toMatchObject({
    resultType: 'complete',
    ttlMs: 1000,
    cacheScope: 'public',
  })
})

test('capabilitiesOf says what to declare', () => {
  const extension = 'io.modelcontextprotocol/skills'
  expect(capabilitiesOf(catalog)).toEqual({
    resources: {},
    extensions: { [extension]: { directoryRead: true } },
  })
  const without = createCatalog(SKILLS, { directoryRead: false })
  expect(capabilitiesOf(without)).toEqual({ resources: {}, extensions: { [extension]: {} } })
})

test('P16: skillUri writes URIs', () => {
  expect(skillUri('acme/refunds')).toBe('skill://acme/refunds/SKILL.md')
  expect(skillUri('studies/:id/review', { id: 7 })).toBe('skill://studies/7/review/SKILL.md')
  expect(() => skillUri('studies/:id/review')).toThrow(/needs a value for :id/)
  expect(skillUri('users/:name', { name: 'ada-1' })).toBe('skill://users/ada-1/SKILL.md')
  expect(() => skillUri('users/:name', { name: 'Ada.1' })).toThrow(RangeError)
  for (const id of ['', '.', '..', 'a/b', 'a\0', 'S 1', '-a', '%41', 'é'])
    expect(() => skillUri('studies/:id/review', { id })).toThrow(RangeError)
})

test('instructions name every skill', async () => {
  const text = instructions(SKILLS)
  expect(text).toContain(
    '- skill://acme/invoices/SKILL.md: Writes invoices.\n- skill://refunds/SKILL.md: Pays back.',
  )
  expect(await instructions(catalog)).toBe(text)
})
