import { createCatalog, joinSkills } from '@embed-skills/runtime'
import { encryptedCursors, signedCursors } from '@embed-skills/runtime/access'
import { defineSkill } from '@embed-skills/runtime/define'
import { listSkills } from '@embed-skills/runtime/provider'
import { describe, expect, test } from 'vitest'
import { connect, kinds, serve } from './support.ts'

const description = 'Does something. Use it.'
const keys = ['k'.repeat(32)]
const tenant = (clientId: string, sub?: string) => ({
  token: clientId,
  clientId,
  scopes: [],
  extra: sub ? { sub } : {},
})
const invalid = { error: { code: -32602, message: 'Invalid cursor' } }

const names = Array.from({ length: 7 }, (_, index) => `s${index}`)
const files = Object.fromEntries(names.map((name) => [`d/${name}.md`, 'x']))
const skills = joinSkills(...names.map((name) => defineSkill(name, { description }, files)))
const make = { signed: signedCursors, encrypted: encryptedCursors }

describe.each(kinds)('%s', (kind) => {
  describe.each(['signed', 'encrypted'] as const)('%s cursors', (how) => {
    const serveWith = (options: Parameters<typeof signedCursors>[1], source = skills) =>
      serve(kind, make[how](createCatalog(source, { pageSize: 3 }), options))

    test.each(['auto', 'legacy'] as const)('A2: a walk of each listing (%s)', async (mode) => {
      const { client, reader, rpc } = await connect(serveWith({ keys }), { mode })
      expect((await reader.list()).skills).toHaveLength(7)
      expect((await client.listResources()).resources).toHaveLength(7)
      let seen = 0
      let cursor: string | undefined
      do {
        const { result } = await rpc('resources/directory/read', {
          uri: 'skill://s0/d',
          ...(cursor && { cursor }),
        })
        seen += result.resources.length
        cursor = result.nextCursor
      } while (cursor)
      expect(seen).toBe(7)
    })

    test('A2: a deploy in the middle of a walk does not break it', async () => {
      const before = await connect(serveWith({ keys }))
      const { nextCursor } = (await before.rpc('skills/list')).result
      const without = joinSkills(
        ...['s0', 's1', 's3', 's5x'].map((name) => defineSkill(name, { description }, {})),
      )
      const after = await connect(serveWith({ keys: ['new'.repeat(20), ...keys] }, without))
      const { result } = await after.rpc('skills/list', { cursor: nextCursor })
      expect(result.skills.map(({ uri }: { uri: string }) => uri)).toEqual([
        'skill://s3/SKILL.md',
        'skill://s5x/SKILL.md',
      ])
    })

    test('A2: a forged cursor, or one of another caller, listing, server or key, is refused', async () => {
      const server = serveWith({ keys, variant: 'eu' })
      const ada = await connect(server, { authInfo: tenant('acme', 'ada') })
      const cursor: string = (await ada.rpc('skills/list')).result.nextCursor
      expect((await ada.rpc('skills/list', { cursor })).result.skills).toHaveLength(3)

      // A renewed token is the same caller.
      const renewed = await connect(server, { authInfo: { ...tenant('acme', 'ada'), token: 'other' } })
      expect((await renewed.rpc('skills/list', { cursor })).result.skills).toHaveLength(3)

      for (const other of [tenant('acme', 'bob'), tenant('evil', 'ada'), tenant('acme'), undefined]) {
        const { rpc } = await connect(server, other && { authInfo: other })
        expect(await rpc('skills/list', { cursor })).toEqual(invalid)
      }
      // Beside an app's own resources, a cursor of ours is marked.
      const marked = kind === 'official v2' ? `skill:${cursor}` : cursor
      expect((await ada.rpc('resources/list', { cursor: marked })).error).toEqual(invalid.error)
      expect(await ada.rpc('resources/directory/read', { uri: 'skill://s0/d', cursor })).toEqual(invalid)
      for (const options of [
        { keys, variant: 'us' },
        { keys: ['x'.repeat(32)], variant: 'eu' },
      ]) {
        const { rpc } = await connect(serveWith(options), { authInfo: tenant('acme', 'ada') })
        expect(await rpc('skills/list', { cursor })).toEqual(invalid)
      }
      // The folder is part of it too, however it is spelled.
      const folder = (await ada.rpc('resources/directory/read', { uri: 'skill://s0/d' })).result.nextCursor
      expect(await ada.rpc('resources/directory/read', { uri: 'skill://s1/d', cursor: folder })).toEqual(
        invalid,
      )
      expect(
        (await ada.rpc('resources/directory/read', { uri: 'SKILL://s0/%64', cursor: folder })).result
          .resources,
      ).toHaveLength(3)

      const flipped = cursor.slice(0, -3) + (cursor.at(-3) === 'A' ? 'B' : 'A') + cursor.slice(-2)
      for (const forged of [
        flipped,
        cursor.slice(0, -4),
        cursor + 'AAAA',
        'skill://s3/SKILL.md',
        'skill:',
        'skill:!',
        'skill:QUFB',
        `skill:${'A'.repeat(20_000)}`,
      ])
        expect(await ada.rpc('skills/list', { cursor: forged })).toEqual(invalid)
    })

    test('A2: another way to tell callers apart', async () => {
      const server = serveWith({ keys, principal: ({ request }) => request?.headers.get('x') ?? 'nobody' })
      const { rpc } = await connect(server)
      const { nextCursor } = (await rpc('skills/list')).result
      expect((await rpc('skills/list', { cursor: nextCursor })).result.skills).toHaveLength(3)
    })

    test('P10: cursors of the app are wrapped', async () => {
      const seen: unknown[] = []
      const catalog = listSkills(skills, (cursor) => {
        seen.push(cursor)
        return cursor
          ? { uris: ['skill://s1/SKILL.md'] }
          : { uris: ['skill://s0/SKILL.md'], nextCursor: 'secret-project:2' }
      })
      const { rpc } = await connect(serve(kind, make[how](catalog, { keys })))
      const { nextCursor } = (await rpc('skills/list')).result
      const inside = Buffer.from(nextCursor.slice('skill:'.length), 'base64url').toString('latin1')
      const hidden = Buffer.from('secret-project:2').toString('base64url')
      expect(inside.includes(hidden)).toBe(how === 'signed')
      await rpc('skills/list', { cursor: nextCursor })
      expect(seen).toEqual([undefined, 'secret-project:2'])
    })
  })

  test('M9: without a key only a malformed cursor can be told', async () => {
    const { rpc } = await connect(serve(kind, skills, { pageSize: 3 }))
    expect((await rpc('skills/list', { cursor: 'skill://s3/SKILL.md' })).result.skills).toHaveLength(3)
    for (const cursor of ['x', 'skill:', 'skill://a/../b', ' ', 'http://a/b'])
      expect((await rpc('skills/list', { cursor })).error?.code).toBe(-32602)
    expect((await rpc('skills/list', { cursor: 7 })).error?.code).toBe(-32602)
  })
})

test('a key that is missing or short is refused', () => {
  for (const keys of [[], ['short'], ['x'.repeat(32), 'short']])
    expect(() => signedCursors(createCatalog(skills), { keys })).toThrow('keys of at least 32 bytes')
})
