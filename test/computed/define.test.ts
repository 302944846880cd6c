import { createHash } from 'node:crypto'
import { defineSkill } from '@embed-skills/runtime/define'
import { joinSkills } from '@embed-skills/runtime'
import { describe, expect, test } from 'vitest'
import { connect, kinds, recorder, serve } from './support.ts'

const description = 'Follow the conventions of this team. Use for commits.'
const logo = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 255)

describe.each(kinds)('%s', (kind) => {
  test.each(['auto', 'legacy'] as const)(
    'P6: text and bytes in code have digests that the client verifies (%s)',
    async (mode) => {
      const git = defineSkill(
        'acme/git-workflow',
        { description, metadata: { team: 'core' } },
        {
          'SKILL.md': '# Git\n\nBranch from `main`.\n',
          'references/Q&A 50%.md': 'caf\u00e9 \u2013 ton\r\n',
          'assets/logo.png': logo,
        },
      )
      const { reader, readAll, close } = await connect(serve(kind, git), { mode })
      expect((await reader.list()).skills).toEqual([
        {
          uri: 'skill://acme/git-workflow/SKILL.md',
          frontmatter: { name: 'git-workflow', description, metadata: { team: 'core' } },
          resources: [
            expect.objectContaining({ uri: 'skill://acme/git-workflow/SKILL.md' }),
            {
              uri: 'skill://acme/git-workflow/assets/logo.png',
              size: 6,
              digest: `sha256:${createHash('sha256').update(logo).digest('hex')}`,
            },
            expect.objectContaining({ uri: 'skill://acme/git-workflow/references/Q&A%2050%25.md' }),
          ],
        },
      ])
      const [files] = Object.values(await readAll())
      expect(files!['SKILL.md']).toBe(
        `---\nname: "git-workflow"\ndescription: "${description}"\nmetadata:\n  team: "core"\n---\n# Git\n\nBranch from \`main\`.\n`,
      )
      expect(files!['references/Q&A%2050%25.md']).toBe('caf\u00e9 \u2013 ton\r\n')
      await close()
    },
  )

  test('P7: a read renders the file asked for, a listing what digests need', async () => {
    const calls: string[] = []
    const file = (name: string) => () => {
      calls.push(name)
      return `${name}\n`
    }
    const files = { 'SKILL.md': file('skill'), 'a.md': file('a'), 'b.md': file('b') }
    const { reader, close } = await connect(
      serve(
        kind,
        joinSkills(
          defineSkill('stable', { description }, files, { stable: true }),
          defineSkill('volatile', { description }, files),
        ),
      ),
    )
    await reader.get('skill://stable/SKILL.md')
    expect(calls.splice(0).sort()).toEqual(['a', 'b', 'skill'])
    const { skill } = await reader.get('skill://volatile/SKILL.md')
    expect(skill.resources).toBe('dynamic')
    expect(calls.splice(0)).toEqual([])
    await reader.read(skill, 'skill://volatile/a.md')
    expect(calls.splice(0)).toEqual(['a'])
    // A listing needs digests of the stable one alone.
    await reader.list()
    expect(calls.splice(0).sort()).toEqual(['a', 'b', 'skill'])
    await close()
  })

  test('N15, P14: computed files are dynamic unless they are declared stable, and any skill can be dynamic', async () => {
    const render = (): string => 'x'
    const { reader, close } = await connect(
      serve(
        kind,
        joinSkills(
          defineSkill('a', { description }, { 'x.md': render }),
          defineSkill('b', { description }, { 'x.md': render }, { stable: true }),
          defineSkill('c', { description }, { 'x.md': 'x' }, { stable: false }),
          defineSkill('d', { description }, { 'x.md': 'x' }),
        ),
      ),
    )
    const { skills } = await reader.list()
    expect(skills.map(({ resources }) => (resources === 'dynamic' ? resources : resources.length))).toEqual([
      'dynamic',
      2,
      'dynamic',
      2,
    ])
    await close()
  })

  test('N15: a stable file that is read as other bytes is logged, and a new version is not', async () => {
    const logger = recorder()
    let count = 0
    let version = '1'
    const skill = defineSkill(
      `counter-${kind === 'serveSkills' ? 's' : 'o'}`,
      { description },
      { 'count.txt': () => `${count++}` },
      { stable: true, version: () => version },
    )
    const { reader, rpc, close } = await connect(serve(kind, skill, { logger }))
    await reader.get(skill.uri)
    const uri = skill.uri.replace('SKILL.md', 'count.txt')
    await rpc('resources/read', { uri })
    expect(logger.messages).toEqual([
      expect.stringMatching(/error: .*count\.txt is declared stable, but its bytes are others/),
    ])
    version = '2'
    await rpc('resources/read', { uri })
    expect(logger.messages).toHaveLength(1)
    await close()
  })

  test('a file that throws fails its request alone, without a word to the client', async () => {
    const logger = recorder()
    const secret = new Error('password is hunter2')
    const broken = defineSkill(
      'broken',
      { description },
      {
        'a.md': () => {
          throw secret
        },
        'b.md': () => 'fine',
      },
    )
    const stable = defineSkill(
      'stable',
      { description },
      { 'a.md': () => Promise.reject(secret) },
      { stable: true },
    )
    const fine = defineSkill('fine', { description }, {})
    const { rpc, reader, close } = await connect(serve(kind, joinSkills(broken, stable, fine), { logger }))
    const failed = { error: { code: -32603, message: 'Internal error' } }
    expect(await rpc('resources/read', { uri: 'skill://broken/a.md' })).toEqual(failed)
    expect((await rpc('resources/read', { uri: 'skill://broken/b.md' })).result.contents[0].text).toBe('fine')
    expect(await rpc('skills/get', { uri: 'skill://stable/SKILL.md' })).toEqual(failed)
    expect((await reader.list()).skills.map(({ uri }) => uri)).toEqual([
      'skill://broken/SKILL.md',
      'skill://fine/SKILL.md',
    ])
    expect(logger.causes).toContain(secret)
    await close()
  })

  test('A7, A5: empty folders, direct children, and no trailing slash', async () => {
    const skill = defineSkill(
      'a',
      { description },
      { 'x/y/z.md': () => 'z', 'x/w.csv': 'w' },
      {
        directories: ['empty', 'x/none'],
      },
    )
    const { rpc, close } = await connect(serve(kind, skill))
    const names = async (uri: string): Promise<string[]> =>
      (await rpc('resources/directory/read', { uri })).result.resources.map(
        (child: { name: string; mimeType: string }) => `${child.name} ${child.mimeType}`,
      )
    expect(await names('skill://a')).toEqual([
      'a text/markdown',
      'empty inode/directory',
      'x inode/directory',
    ])
    expect(await names('skill://a/x')).toEqual([
      'none inode/directory',
      'w.csv text/csv',
      'y inode/directory',
    ])
    expect(await names('skill://a/empty')).toEqual([])
    for (const uri of ['skill://a/', 'skill://a/x/', 'skill://a/x/w.csv', 'skill://a/none', 'skill://'])
      expect((await rpc('resources/directory/read', { uri })).error?.code).toBe(-32602)
    await close()
  })

  test('P13, A3: computed skills are private unless they say otherwise, static ones follow the catalog', async () => {
    const hints = { ttlMs: 60_000, cacheScope: 'public' } as const
    const fixed = defineSkill('fixed', { description }, {})
    const computed = defineSkill('computed', { description }, { 'x.md': () => 'x' })
    const shared = defineSkill(
      'shared',
      { description },
      { 'x.md': () => 'x' },
      { ttlMs: 5000, cacheScope: 'public' },
    )
    const ask = async (skills: Parameters<typeof serve>[1], method: string, params = {}) => {
      const { result } = await (await connect(serve(kind, skills, hints))).rpc(method, params)
      return `${result.ttlMs} ${result.cacheScope}`
    }
    expect(await ask(fixed, 'skills/list')).toBe('60000 public')
    expect(await ask(computed, 'skills/list')).toBe('0 private')
    expect(await ask(shared, 'skills/list')).toBe('5000 public')
    expect(await ask(joinSkills(fixed, shared), 'skills/list')).toBe('5000 public')
    expect(await ask(joinSkills(fixed, shared), 'resources/list')).toBe(
      kind === 'serveSkills' ? '5000 public' : '0 private',
    )
    expect(await ask(joinSkills(fixed, shared, computed), 'skills/list')).toBe('0 private')
    const uri = 'skill://computed/SKILL.md'
    expect(await ask(joinSkills(fixed, computed), 'skills/get', { uri })).toBe('0 private')
    expect(await ask(joinSkills(fixed, computed), 'resources/read', { uri })).toBe('0 private')
    expect(await ask(joinSkills(fixed, computed), 'resources/read', { uri: 'skill://fixed/SKILL.md' })).toBe(
      '60000 public',
    )
    expect(
      await ask(joinSkills(fixed, computed), 'resources/directory/read', { uri: 'skill://computed' }),
    ).toBe('0 private')
  })
})

test('N10, A11, P8: more than every host accepts is served, with a warning', async () => {
  const logger = recorder()
  const files = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`f${index}.md`, 'x']))
  const { reader, close } = await connect(
    serve('serveSkills', defineSkill('a', { description }, files), { logger }),
  )
  expect((await reader.get('skill://a/SKILL.md')).skill.resources).toHaveLength(601)
  expect(logger.messages).toEqual([expect.stringContaining('holds 601 files')])
  await close()
})

test.each([
  ['Bad', 'must end in a name'],
  ['a--b', 'must end in a name'],
  ['.x/a', 'segment ".x"'],
  ['a b/a', 'segment "a b"'],
  ['../a', 'segment ".."'],
  ['', 'must end in a name'],
  ['/a', 'segment ""'],
])('N5: the path %j is refused', (path, message) => {
  expect(() => defineSkill(path, { description }, {})).toThrow(message)
})

test.each(['../x', 'a/../b', './a', '/etc/passwd', 'a//b', 'a/', '', 'a\\b', 'a\0b', '\ud800'])(
  'P8: the file path %j is refused',
  (path) => {
    expect(() => defineSkill('a', { description }, { [path]: '' })).toThrow('no path of a file')
  },
)

test.each([
  [{ name: 'b', description }, 'the skill path ends in "a"'],
  [{ description: '' }, 'needs a description'],
  [{ description: 'x'.repeat(1025) }, 'needs a description'],
  [{ description, metadata: { a: 1 } }, 'object of strings'],
  [{ description, x: Number.NaN }, 'no JSON form at x'],
  [{ description, x: 2 ** 53 }, 'more digits'],
  [{ description, x: { y: undefined } }, 'no JSON form at x.y'],
  [{ description, x: ['\ud800'] }, 'half of a surrogate pair at x.0'],
  [{ description, ['__proto__']: 'x' }, '__proto__'],
])('what hosts refuse is refused: %j', (frontmatter, message) => {
  expect(() => defineSkill('a', frontmatter as never, {})).toThrow(message)
})

test('a file where another needs a folder is refused', () => {
  expect(() => defineSkill('a', { description }, { x: '', 'x/y': '' })).toThrow('lies below another entry')
  expect(() => defineSkill('a', { description }, { x: '' }, { directories: ['x'] })).toThrow('same path')
})

test('frontmatter in the body of SKILL.md is refused, a rule at its top is not', () => {
  const whole = { 'SKILL.md': '---\nname: a\ndescription: Says a.\n---\n\nA.\n' }
  expect(() => defineSkill('a', { description }, whole)).toThrow('SKILL.md is given without frontmatter')
  defineSkill('a', { description }, { 'SKILL.md': '---\n\nA.\n' })
})
