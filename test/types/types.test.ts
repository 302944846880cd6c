import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import embedSkills from 'unplugin-embed-skills/vite'
import type { InlineConfig } from 'vite'
import { build, createServer } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { addFiles, app, bin, cli, run, succeed } from '../support/apps.ts'
import { eventually, saved } from '../support/eventually.ts'

const skillMd = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\nBody.\n`

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    module: 'ESNext',
    moduleResolution: 'Bundler',
    target: 'ES2022',
    lib: ['ES2023', 'DOM'],
    types: ['unplugin-embed-skills/client'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  },
  include: ['main.ts', 'embed-skills.d.ts'],
})

const APP = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': TSCONFIG,
  'skills/acme/refunds/SKILL.md': skillMd('refunds', 'metadata: {owner: billing}\n"a b": [1, null, {}]\n'),
  'skills/acme/refunds/templates/mail.md': 'Dear …',
  'skills/acme/refunds/50% "off".md': '50%',
  'skills/acme/refunds/logo.png': new Uint8Array([0x89, 0, 1]),
  'skills/support/SKILL.md': skillMd('support'),
  'admin/audit/SKILL.md': skillMd('audit'),
  'billing/invoices/SKILL.md': skillMd('invoices'),
  'skills/notes/SKILL.md': skillMd('notes'),
  'skills/more/skills/notes/SKILL.md': skillMd('notes'),
}

const MAIN = `
import skills from 'virtual:skills'
import refunds from 'virtual:skills/acme/refunds'
import admin from 'virtual:admin-skills'
import audit from 'virtual:admin-skills/audit'
import single from './skills/support/SKILL.md?skill'
import nested from './src/../skills/acme/refunds/SKILL.md?skill'
import unknown from './elsewhere/other/SKILL.md?skill'
import absolute from '/skills/support/SKILL.md?skill'
import twice from './skills/notes/SKILL.md?skill'
import longer from './skills/more/skills/notes/SKILL.md?skill'
import { createCatalog, getSkill, joinSkills, readFile } from '@embed-skills/runtime'
import { serveSkills } from '@embed-skills/runtime/fetch'
import { embedSkills } from '@embed-skills/runtime/macro'

const { frontmatter } = getSkill(skills, 'acme/refunds')
const description: 'Does refunds.' = frontmatter.description
const owner: 'billing' = frontmatter.metadata.owner
const one: 1 = frontmatter['a b'][0]
// @ts-expect-error another owner
const other: 'support' = frontmatter.metadata.owner
// @ts-expect-error no such field
frontmatter.license
// @ts-expect-error no such skill
getSkill(skills, 'refunds')

const text: string = (await readFile(skills, 'acme/refunds', 'templates/mail.md')).text
const odd: string = (await readFile(skills, 'acme/refunds', '50% "off".md')).text
const bytes: Uint8Array = (await readFile(skills, 'acme/refunds', 'logo.png')).bytes
// @ts-expect-error a picture has no text
const picture: string = (await readFile(skills, 'acme/refunds', 'logo.png')).text
// @ts-expect-error no such file
await readFile(skills, 'acme/refunds', 'mail.md')
// @ts-expect-error a file of another skill
await readFile(skills, 'support', 'templates/mail.md')

getSkill(refunds, 'acme/refunds').frontmatter.name satisfies 'refunds'
// @ts-expect-error that module holds one skill
getSkill(refunds, 'support')
getSkill(admin, 'audit').frontmatter.name satisfies 'audit'
// @ts-expect-error a skill of another set
getSkill(admin, 'support')
getSkill(audit, 'audit')

getSkill(embedSkills('/billing/*'), 'invoices').frontmatter.name satisfies 'invoices'
// @ts-expect-error no such skill
getSkill(embedSkills('/billing/*'), 'refunds')
// A relative glob may be written in two files, and an array is not one glob.
getSkill(embedSkills('./billing/*'), 'anything')
getSkill(embedSkills(['/billing/*', '!/billing/x']), 'anything')
embedSkills({ from: '/billing/*', prefix: 'acme' })
// @ts-expect-error no source
embedSkills(1)

getSkill(single, 'support').frontmatter.name satisfies 'support'
// @ts-expect-error a skill alone has the path of its folder
getSkill(single, 'acme/refunds')
getSkill(nested, 'refunds').frontmatter.metadata.owner satisfies 'billing'
const mail: string = (await readFile(nested, 'refunds', 'templates/mail.md')).text
// One that no set has, and one whose folder is not written out, may be any.
getSkill(unknown, 'anything')
getSkill(absolute, 'anything')
// The end of its folder is that of another's too.
getSkill(twice, 'anything')
getSkill(longer, 'notes').frontmatter.description satisfies 'Does notes.'

createCatalog(skills)
joinSkills(skills, admin, refunds)
export default serveSkills(skills, { name: 'acme', version: '1.0.0' })
`

const LOOSE = `
import skills from 'virtual:skills'
import refunds from 'virtual:skills/acme/refunds'
import single from './skills/support/SKILL.md?skill'
import { getSkill, readFile } from '@embed-skills/runtime'
import { embedSkills } from '@embed-skills/runtime/macro'

const description: string = getSkill(skills, 'anything').frontmatter.description
const { text, bytes } = await readFile(refunds, 'anything', 'any.md')
const maybe: string | undefined = text
// @ts-expect-error it may be bytes
const sure: string = text
getSkill(embedSkills('/billing/*'), 'anything')
getSkill(single, 'anything')
`

const SOURCES = ['skills/**', 'virtual:admin-skills=admin/*', '/billing/*']

function typecheck(root: string): ReturnType<typeof run> {
  return run(root, bin('tsc'), '-p', '.')
}

const FINE = { code: 0, output: '' }

function config(root: string): InlineConfig {
  return {
    root,
    logLevel: 'error',
    configFile: false,
    plugins: [embedSkills('skills/**'), embedSkills({ from: 'admin/*', id: 'virtual:admin-skills' })],
    build: { ssr: 'entry.js' },
  }
}

test('X7: names, paths and frontmatter are literal types', async () => {
  const root = await app({ ...APP, 'main.ts': MAIN })
  await succeed(cli(root, 'types', ...SOURCES))
  expect(await typecheck(root)).toEqual(FINE)
})

test('a skill that is imported by its file is typed in whichever order declarations are read', async () => {
  const main = `/// <reference types="unplugin-embed-skills/client" />
import single from './skills/support/SKILL.md?skill'
import { getSkill } from '@embed-skills/runtime'
getSkill(single, 'support').frontmatter.description satisfies 'Does support.'
// @ts-expect-error no such skill
getSkill(single, 'anything')
`
  const root = await app({ ...APP, 'a.ts': main, 'z.ts': main })
  await succeed(cli(root, 'types', 'skills/**'))
  for (const include of [
    ['a.ts', 'embed-skills.d.ts'],
    ['embed-skills.d.ts', 'z.ts'],
  ]) {
    const tsconfig = JSON.parse(TSCONFIG) as { compilerOptions: object }
    await addFiles(root, {
      'tsconfig.json': JSON.stringify({
        compilerOptions: { ...tsconfig.compilerOptions, types: [] },
        files: include,
      }),
    })
    expect(await typecheck(root)).toEqual(FINE)
  }
})

test('without the generated file, what the plugin ships is enough', async () => {
  const root = await app({ ...APP, 'main.ts': LOOSE })
  expect(await typecheck(root)).toEqual(FINE)
})

test('the module of embed-skills build has the same types', async () => {
  const main = `
import skills from './skills.js'
import { getSkill, readFile } from '@embed-skills/runtime'
getSkill(skills, 'acme/refunds').frontmatter.name satisfies 'refunds'
// @ts-expect-error no such skill
getSkill(skills, 'refunds')
const text: string = (await readFile(skills, 'acme/refunds', 'templates/mail.md')).text
`
  for (const out of ['skills.ts', 'skills.js']) {
    const root = await app({ ...APP, 'main.ts': main })
    await succeed(cli(root, 'build', 'skills/**', '--out', out))
    expect(await typecheck(root)).toEqual(FINE)
  }
})

test('a build writes the file, and embed-skills types writes the same', async () => {
  const root = await app({ ...APP, 'entry.js': "import skills from 'virtual:skills'\nexport default skills" })
  await build(config(root))
  const written = await readFile(path.join(root, 'embed-skills.d.ts'), 'utf8')
  await succeed(cli(root, 'types', ...SOURCES.slice(0, 2), '--check'))
  await succeed(cli(root, 'types', ...SOURCES))
  // What the macro was called with is kept, although this build does not see it.
  await build(config(root))
  expect(await readFile(path.join(root, 'embed-skills.d.ts'), 'utf8')).toContain('"/billing/*"')
  expect(written).not.toContain('"/billing/*"')
})

test('--check compares with the disk', async () => {
  const root = await app(APP)
  expect((await cli(root, 'types', ...SOURCES, '--check')).output).toContain('embed-skills.d.ts is missing')
  await succeed(cli(root, 'types', ...SOURCES))
  await succeed(cli(root, 'types', ...SOURCES, '--check'))
  await writeFile(path.join(root, 'skills/support/more.md'), 'more')
  const { code, output } = await cli(root, 'types', ...SOURCES, '--check')
  expect(code).toBe(1)
  expect(output).toContain('embed-skills.d.ts is stale')
  await writeFile(path.join(root, 'embed-skills.d.ts'), 'declare const mine: 1')
  expect((await cli(root, 'types', ...SOURCES)).output).toContain('was not written by embed-skills')
})

test('without sources, the Vite configuration has them', async () => {
  const root = await app({
    ...APP,
    'vite.config.js': `import embedSkills from 'unplugin-embed-skills/vite'
export default { plugins: [embedSkills({ from: 'admin/*', id: 'virtual:admin-skills', prefix: 'x', types: 'types/skills.d.ts' })] }`,
  })
  expect(await succeed(cli(root, 'types'))).toBe('types/skills.d.ts: written\n')
  expect(await readFile(path.join(root, 'types/skills.d.ts'), 'utf8')).toContain('"x/audit"')
  const bare = await app({})
  expect(await cli(bare, 'types')).toMatchObject({
    code: 2,
    output: expect.stringContaining('Say where skills are'),
  })
})

test('a dev server keeps the file, also when it was removed', async () => {
  const root = await app(APP)
  const file = path.join(root, 'embed-skills.d.ts')
  const server = await createServer({ ...config(root), server: { middlewareMode: true, ws: false } })
  onTestFinished(() => server.close())
  await server.environments.ssr.pluginContainer.buildStart()
  await eventually(async () => expect(await readFile(file, 'utf8')).toContain('"acme/refunds"'))
  await rm(file)
  await saved(root, 'skills/support/fresh.md', 'fresh', async () => {
    expect(await readFile(file, 'utf8')).toContain('"fresh.md"')
  })
})

test('types: false writes nothing', async () => {
  const root = await app({ ...APP, 'entry.js': "export { default } from 'virtual:skills'" })
  await build({ ...config(root), plugins: [embedSkills({ from: 'skills/**', types: false })] })
  await expect(readFile(path.join(root, 'embed-skills.d.ts'))).rejects.toThrow('ENOENT')
})
