import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CompileOptions, Content } from '@embed-skills/compiler'
import { compile, emitModules } from '@embed-skills/compiler'
import type { CompiledSkills } from '@embed-skills/runtime'
import { joinSkills } from '@embed-skills/runtime'
import { renderSkill, skillRoute } from '@embed-skills/runtime/define'
import { contents } from '@embed-skills/runtime/testing'
import embedSkills from 'unplugin-embed-skills/vite'
import type { RunnableDevEnvironment } from 'vite'
import { createBuilder, createServer, preview } from 'vite'
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { connect, kinds, recorder, serve } from '../computed/support.ts'
import { eventually } from '../support/eventually.ts'
import { importSkills } from '../support/modules.ts'

declare module '@embed-skills/runtime/define' {
  interface TemplateData {
    typed: { readonly name: string }
  }
}

const fixture = path.join(import.meta.dirname, '../fixtures/templates')
const head = (name: string): string => `---\nname: ${name}\ndescription: Does it. Use it.\n---\n`

async function compileTree(files: Record<string, string | Uint8Array>, options: CompileOptions = {}) {
  const root = await mkdtemp(path.join(tmpdir(), 'embed-skills-templates-'))
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await writeFile(path.join(root, file), text)
  }
  return compile('**', { root, ...options })
}

async function importTree(
  files: Record<string, string | Uint8Array>,
  options: CompileOptions = {},
  content: Content = 'chunks',
): Promise<CompiledSkills> {
  const { skills, templates, diagnostics } = await compileTree(files, options)
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  return importSkills(skills, content, undefined, templates)
}

describe.each(kinds)('%s', (kind) => {
  test.each(['chunks', 'inline'] as const)(
    'P5: a folder of templates is a function of its data (%s)',
    async (content) => {
      const { skills, templates } = await compile('skills/*', { root: fixture })
      const compiled = await importSkills(skills, content, undefined, templates)
      const refunds = skillRoute(
        'teams/:team/refunds',
        ({ team }) =>
          renderSkill(compiled, 'refunds', { user: { name: `<b>${team}</b>` }, limit: 50, names: ['Bob'] }),
        { stable: true },
      )
      const { reader } = await connect(serve(kind, joinSkills(compiled, refunds)))
      // It has no bytes without data, so that it is not served by itself.
      expect((await reader.list()).skills.map(({ uri }) => uri)).toEqual(['skill://plain/SKILL.md'])
      const { skill } = await reader.get('skill://teams/a-1/refunds/SKILL.md')
      const files = Object.fromEntries(
        await Promise.all(
          (skill.resources as { uri: string }[]).map(async ({ uri }) => {
            const { bytes, verified, mimeType } = await reader.read(skill, uri)
            expect(verified).toBe(true)
            return [
              uri.slice('skill://teams/a-1/refunds/'.length),
              `${mimeType} ${Buffer.from(bytes).toString()}`,
            ]
          }),
        ),
      )
      const source = await readFile(path.join(fixture, 'skills/refunds/SKILL.md.eta'), 'utf8')
      expect(files).toEqual({
        'SKILL.md': `text/markdown ${source.slice(0, source.indexOf('Draft'))}Draft the reply to <b>a-1</b> from [the email template](examples/email.md).\nNever refund more than 50 EUR & keep \`a < b\` as it is.\n`,
        // What is no template is verbatim, whatever is in it.
        'examples/email.md': 'text/markdown Dear <%= customer %>,\n',
        'examples/names.csv': 'text/csv name\nBob\n',
      })
      expect(skill.frontmatter).toEqual({
        name: 'refunds',
        description: 'Process refund requests per company policy. Use for refunds.',
        metadata: { team: 'billing' },
      })
    },
  )

  test('P5: a template that throws fails that request alone', async () => {
    const logger = recorder()
    const skills = await importTree({ 'a/SKILL.md.eta': `${head('a')}<%= it.user.name %>`, 'a/b.md': 'b' })
    const route = skillRoute('x/:id/a', ({ id }) =>
      renderSkill(skills, 'a', id === 'ok' ? { user: { name: 'Ada' } } : {}),
    )
    const { rpc } = await connect(serve(kind, route, { logger }))
    const read = (id: string, file: string) => rpc('resources/read', { uri: `skill://x/${id}/a/${file}` })
    expect((await read('bad', 'SKILL.md')).error).toEqual({ code: -32603, message: 'Internal error' })
    expect((await read('bad', 'b.md')).result.contents[0].text).toBe('b')
    expect((await read('ok', 'SKILL.md')).result.contents[0].text).toBe(`${head('a')}Ada`)
    expect(logger.messages).toEqual(['error: embed-skills: the file SKILL.md failed'])
  })
})

test('P5: bytes between the tags are kept', async () => {
  const text = 'caf\u00e9 \'"`${x}` \\n \\ </script><!-- \u2028 import.meta \r\ntwo\rthree\n<%= it.x %> end'
  const skills = await importTree({
    'a/SKILL.md.eta': `\uFEFF${head('a').replaceAll('\n', '\r\n')}${text}`,
    'a/data/50% & more.txt.eta': text,
    'a/logo.png': Uint8Array.of(0, 1, 255),
    'a/empty.md.eta': '',
  })
  const files = await contents(renderSkill(skills, 'a', { x: '<\r\n>' }))
  const rendered = text.replace('<%= it.x %>', '<\r\n>')
  expect(files).toEqual({
    'SKILL.md': `\uFEFF${head('a').replaceAll('\n', '\r\n')}${rendered}`,
    'data/50% & more.txt': rendered,
    'empty.md': '',
    'logo.png': Uint8Array.of(0, 1, 255),
  })
})

test.each([
  ['<% const twice = (n) => n * 2 // a comment %>\n<%= twice(it.n) %>\n', '4\n'],
  ['<% for (const n of it.list) { %>\n- <%= n %>\n<% } %>\nend', '- 1\n- 2\nend'],
  ['x\r\n  <% if (it.n) { %>  \r\n  yes\r\n  <% } %>\r\nend', 'x\r\n  yes\r\nend'],
  ['a <% if (it.n) { %>b<% } %>\nc', 'a b\nc'],
  ['<% if (it.n) { %><% if (it.list) { %>\nx\n<% } } %>', '\nx\n'],
  ['<%= it.n %>\n<%= it.n %>\n', '2\n2\n'],
  ['<%= it.n -%>\n<%= it.n %>', '22'],
  ['<%= await it.later %><%~ it.raw %><% output("!") %>', 'later<raw>!'],
  ['<%/* a comment */%>\nx', 'x'],
  ['<% %>', ''],
  ['a\n<% %>', 'a\n'],
])('P5: %j', async (template, wanted) => {
  const skills = await importTree({ 'a/SKILL.md.eta': head('a') + template, 'a/x.md.eta': template })
  const data = { n: 2, list: [1, 2], later: Promise.resolve('later'), raw: '<raw>' }
  expect(await contents(renderSkill(skills, 'a', data))).toEqual({
    'SKILL.md': head('a') + wanted,
    'x.md': wanted,
  })
})

test('a set without templates is the same, byte for byte', async () => {
  const { skills, templates } = await compile('skills/*', { root: fixture })
  const written = (templates?: Parameters<typeof emitModules>[1]['templates']) =>
    [...emitModules(skills, { content: 'inline', ...(templates && { templates }) })].map(([id, write]) => [
      id,
      write(),
    ])
  expect(written([])).toEqual(written())
  expect(JSON.stringify(written())).not.toContain('templates')
  expect(JSON.stringify(written(templates))).toContain('templates')
})

test('a template in a skill that is none otherwise is warned about, and can be left alone', async () => {
  const files = { 'a/SKILL.md': head('a'), 'a/x.md.eta': '<%= it.x %>' }
  const { skills, diagnostics } = await compileTree(files)
  expect(skills).toEqual([])
  expect(diagnostics.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual(['warning template-skill'])
  const plain = await compileTree(files, { templates: false })
  expect(plain.skills[0]!.files.map((file) => file.path)).toEqual(['SKILL.md', 'x.md.eta'])
  expect(plain.diagnostics).toEqual([])
})

test('P5: another engine, by its suffix', async () => {
  const engine = {
    hasTags: (text: string) => text.includes('{{'),
    compile: (source: string) =>
      `(data) => ${JSON.stringify(source)}.replace(/{{(\\w+)}}/g, (_, name) => data[name])`,
  }
  const skills = await importTree(
    { 'a/SKILL.md.mustache': `${head('a')}Hi {{name}}`, 'a/b.txt.eta': '<%= it.name %>' },
    { templates: { '.mustache': engine } },
  )
  expect(await contents(renderSkill(skills, 'a', { name: 'Ada' }))).toEqual({
    'SKILL.md': `${head('a')}Hi Ada`,
    'b.txt': 'Ada',
  })
  const { diagnostics } = await compileTree(
    { 'a/SKILL.md.mustache': head('a').replace('Does', '{{x}}') },
    { templates: { '.mustache': engine } },
  )
  expect(diagnostics).toContainEqual(expect.objectContaining({ rule: 'template', line: 3 }))
  await expect(compileTree({}, { templates: { eta: engine } })).rejects.toThrow('must look like `.eta`')
  await expect(compileTree({}, { templates: { '.x': {} as never } })).rejects.toThrow('needs `compile`')
})

test('what there is to render is said', async () => {
  const skills = await importTree({ 'a/SKILL.md.eta': head('a'), 'b/SKILL.md': head('b') })
  expect(() => renderSkill(skills, 'b', {})).toThrow(
    'There is no skill "b" with templates in this set; there are "a"',
  )
  expect(() => renderSkill({ ...skills, format: 9 }, 'a', {})).toThrow('Skill format 9')
  expect(() => renderSkill(skills, 'constructor', {})).toThrow(RangeError)
})

test('data is typed where its type was declared', () => {
  expectTypeOf<Parameters<typeof renderSkill<'typed'>>[2]>().toEqualTypeOf<{ readonly name: string }>()
  expectTypeOf<Parameters<typeof renderSkill<'other'>>[2]>().toEqualTypeOf<object>()
})

test('P5: a change, an addition and a removal of a template recompile it', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'embed-skills-templates-dev-'))
  const file = (name: string) => path.join(root, 'skills/a', name)
  await mkdir(file('.'), { recursive: true })
  await writeFile(file('SKILL.md.eta'), `${head('a')}Hi <%= it.name %>`)
  await writeFile(path.join(root, 'entry.js'), "export { default } from 'virtual:skills'\n")
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [embedSkills('skills/*')],
    server: { port: 0, host: '127.0.0.1' },
    optimizeDeps: { noDiscovery: true },
  })
  onTestFinished(() => server.close())
  await server.listen()
  const { runner } = server.environments['ssr'] as RunnableDevEnvironment
  const rendered = async () => {
    const { default: skills } = (await runner.import('/entry.js')) as { default: CompiledSkills }
    return contents(renderSkill(skills, 'a', { name: 'Ada' }))
  }
  expect(await rendered()).toEqual({ 'SKILL.md': `${head('a')}Hi Ada` })
  await eventually(
    async () => expect((await rendered())['SKILL.md']).toBe(`${head('a')}Bye Ada`),
    () => writeFile(file('SKILL.md.eta'), `${head('a')}Bye <%= it.name %>`),
  )
  const add = (): Promise<void> => writeFile(file('x.txt.eta'), '<%= it.name %>!')
  await eventually(async () => expect((await rendered())['x.txt']).toBe('Ada!'), add)
  await eventually(
    async () => expect(Object.keys(await rendered())).toEqual(['SKILL.md']),
    () => add().then(() => rm(file('x.txt.eta'))),
  )
})

test('a template renders in workerd, where nothing can be evaluated', async () => {
  Object.assign(process.env, { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' })
  const builder = await createBuilder({ root: fixture, logLevel: 'warn' })
  await builder.buildApp()
  const built = path.join(fixture, 'dist/templates')
  const bundled = await readdir(built, { recursive: true })
  const code = await Promise.all(
    bundled.filter((file) => file.endsWith('.js')).map((file) => readFile(path.join(built, file), 'utf8')),
  )
  // No engine: a few lines and the functions.
  expect(code.join('')).not.toMatch(/new Function|\beval\(|EtaError|compileToString/)
  const server = await preview({ root: fixture, logLevel: 'warn', preview: { port: 0, host: '127.0.0.1' } })
  onTestFinished(() => server.close())
  const url = server.resolvedUrls!.local[0]!
  const { reader, rpc } = await connect({
    fetch: async (request) => {
      const body = request.method === 'POST' ? await request.text() : undefined
      return fetch(url, { method: request.method, headers: request.headers, ...(body && { body }) })
    },
  })
  const { skill } = await reader.get('skill://teams/blue/refunds/SKILL.md')
  const { bytes, verified } = await reader.read(skill, skill.uri)
  expect(verified).toBe(true)
  expect(Buffer.from(bytes).toString()).toContain('Draft the reply to <b>blue</b> from')
  const names = await reader.read(skill, 'skill://teams/blue/refunds/examples/names.csv')
  expect(Buffer.from(names.bytes).toString()).toBe('name\nZo\u00eb\nBob\n')
  expect((await rpc('skills/get', { uri: 'skill://teams/nobody/refunds/SKILL.md' })).error?.code).toBe(-32602)
  expect((await rpc('skills/get', { uri: 'skill://teams/broken/refunds/SKILL.md' })).error?.code).toBe(-32603)
  expect((await reader.list()).skills.map(({ uri }) => uri)).toEqual(['skill://plain/SKILL.md'])
})
