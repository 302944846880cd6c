import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { CompiledSkill, Diagnostic } from '@embed-skills/compiler'
import { compile, compiledSet, emitModules } from '@embed-skills/compiler'
import { serveSkills } from '@embed-skills/runtime/fetch'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'

const seed = Number(process.env['EMBED_SKILLS_SEED'] ?? 20_251_130)
const info = { name: 'test', version: '1.0.0' }
const top = fs.mkdtempSync(path.join(os.tmpdir(), 'skills-properties-'))
afterAll(() => fs.rmSync(top, { recursive: true, force: true }))

/** Names that a file system takes: with blanks, marks of URIs and globs, other scripts, dots and control characters. */
const name = fc
  .oneof(
    fc.constantFrom(
      'a',
      'b',
      'SKILL.md',
      'skill.md',
      'inner',
      'references',
      'node_modules',
      'target',
      'Cargo.toml',
    ),
    fc.constantFrom(
      '.env',
      '.git',
      '_rels',
      '__proto__',
      'constructor',
      '%2e%2e',
      'a%2Fb',
      '~',
      'é',
      'e\u0301',
      'CON',
    ),
    fc.constantFrom(
      '[id]',
      '{a,b}',
      '!(x)',
      '#a',
      'a?b',
      "it's",
      'q&a',
      '日本.md',
      'a b.png',
      'x\\y',
      'tab\t',
      '*',
      '💰',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  )
  .map((text) => text.replaceAll(/[/\0]/g, '_'))
  .filter(
    (text) => text !== '.' && text !== '..' && Buffer.byteLength(text) < 200 && !/\p{Surrogate}/u.test(text),
  )

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 64 }),
  fc.string({ unit: 'binary', maxLength: 64 }).map((text) => new TextEncoder().encode(text)),
  fc
    .constantFrom('', '\ufeffa\r\nb\rc', '[x](../y.md) [z](b)', '</script><!--`${x}`\u2028')
    .map((text) => new TextEncoder().encode(text)),
)

const scalar = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(
    '2025-10-20',
    'yes',
    '1e3',
    '0755',
    '.nan',
    '"x"',
    "'y'",
    '|\n  x',
    '>-\n  x\n  y',
    '[a, b]',
    '{a: b}',
    '&x',
    '*x',
    '!t y',
  ),
)
const line = fc
  .tuple(fc.oneof(fc.constantFrom('license', 'x', 'metadata', '__proto__', '<<'), scalar), scalar)
  .map(([key, value]) => `${key}: ${value}\n`)

/** A SKILL.md that mostly has what it needs, and mostly something odd besides. */
function skillMd(folder: string): fc.Arbitrary<Uint8Array> {
  const valid = fc
    .tuple(
      fc.array(line, { maxLength: 2 }),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('', '\ufeff'),
      scalar,
    )
    .map(([lines, eol, bom, body]) => {
      const text = `---\nname: ${folder}\ndescription: Does ${folder}.\n${lines.join('')}---\n${body}\n`
      return new TextEncoder().encode(bom + text.replaceAll('\n', eol))
    })
  return fc.oneof({ weight: 5, arbitrary: valid }, bytes)
}

type Files = readonly (readonly [segments: readonly string[], bytes: Uint8Array])[]

const tree: fc.Arbitrary<Files> = fc.array(
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc
        .constantFrom('a', 'b', 'review-1')
        .chain((folder) => fc.tuple(fc.constant([folder, 'SKILL.md']), skillMd(folder))),
    },
    { weight: 1, arbitrary: fc.tuple(fc.constant(['a', 'inner', 'SKILL.md']), skillMd('inner')) },
    {
      weight: 4,
      arbitrary: fc.tuple(
        fc
          .tuple(fc.constantFrom('a', 'b', 'review-1'), fc.array(name, { minLength: 1, maxLength: 3 }))
          .map(([folder, below]) => [folder, ...below]),
        bytes,
      ),
    },
  ),
  { minLength: 1, maxLength: 8 },
)

let count = 0

/** Writes what can be written: a name may be taken already, by a file or by a folder. */
function write(files: Files): { root: string; written: Map<string, Uint8Array> } {
  const root = path.join(top, String(count++))
  const written = new Map<string, Uint8Array>()
  for (const [segments, content] of files) {
    const file = path.join(root, ...segments)
    try {
      fs.mkdirSync(path.dirname(file), { recursive: true })
      fs.writeFileSync(file, content)
      written.set(segments.join('/'), content)
    } catch {
      // Such a name stays out of the tree.
    }
  }
  return { root, written }
}

/** What is on the disk below a skill, but neither in it with the same bytes nor left out with a reason. */
function lostFiles(
  skills: readonly CompiledSkill[],
  diagnostics: readonly Diagnostic[],
  written: ReadonlyMap<string, Uint8Array>,
): string[] {
  return skills.flatMap((skill) => {
    const held = new Map(skill.files.map((file) => [`${skill.path}/${file.path}`, file.bytes]))
    return [...written.keys()].filter((file) => {
      if (!file.startsWith(`${skill.path}/`)) return false
      const bytes = held.get(file)
      if (bytes !== undefined) return Buffer.compare(bytes, written.get(file)!) !== 0
      return !diagnostics.some((said) => file === said.file || file.startsWith(`${said.file}/`))
    })
  })
}

async function connect(server: { fetch(request: Request): Promise<Response> }): Promise<Client> {
  const client = new Client(info, { versionNegotiation: { mode: 'auto' } })
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/'), {
    fetch: (url, init) => server.fetch(new Request(url, init)),
  })
  await client.connect(transport)
  return client
}

test(
  'no tree crashes the compiler, loses a byte, or gives an entry that the official client refuses',
  { timeout: 300_000 },
  async () => {
    let skillsSeen = 0
    await fc.assert(
      fc.asyncProperty(tree, async (files) => {
        const { root, written } = write(files)
        const { skills, diagnostics, checked } = await compile('**', { root })
        skillsSeen += skills.length
        const lines = new TextEncoder()

        expect(lostFiles(skills, diagnostics, written)).toEqual([])
        for (const { severity, message, help } of diagnostics) {
          expect(severity).toMatch(/^(?:error|warning|info)$/)
          expect(lines.encode(message + help).length).toBeGreaterThan(0)
        }
        expect(checked.length).toBeGreaterThanOrEqual(skills.length)
        for (const write of emitModules(skills, { content: 'inline' }).values())
          expect(write()).toBeTypeOf('string')

        const client = await connect(serveSkills(compiledSet(skills), info))
        const reader = new SkillsClient(client)
        const listed = await reader.list()
        expect(listed.skills.map(({ uri }) => uri)).toEqual(skills.map(({ uri }) => uri))
        for (const { uri, files: own } of skills) {
          const { skill } = await reader.get(uri)
          for (const file of own) {
            const served = await reader.read(skill, file.uri)
            expect(served.verified).toBe(true)
            expect(Buffer.compare(served.bytes, file.bytes)).toBe(0)
          }
        }
        await client.close()
        fs.rmSync(root, { recursive: true, force: true })
      }),
      { numRuns: Number(process.env['EMBED_SKILLS_RUNS'] ?? 300), seed },
    )
    expect(skillsSeen).toBeGreaterThan(50)
  },
)
