import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { addFiles, app, cli, startCli, succeed } from '../support/apps.ts'
import { eventually } from '../support/eventually.ts'
import { skillMd } from '../support/tree.ts'

const APP = {
  'package.json': '{ "type": "module" }',
  'agent/skills/refunds/SKILL.md': skillMd('refunds'),
  'agent/skills/refunds/tests/a.md': 'not for users',
  'agent/skills/support/README.md': skillMd('support'),
}

async function uris(root: string, out = 'skills.js'): Promise<string[]> {
  const code = await readFile(path.join(root, out), 'utf8')
  return [...code.matchAll(/"(skill:\/\/[^"]+)"/g)].map(([, uri]) => uri!)
}

const CONFIG = JSON.stringify({
  from: 'skills/*',
  base: 'agent',
  prefix: 'acme',
  ignore: ['**/tests', '**/support'],
})

test('build takes everything from the configuration file', async () => {
  const root = await app({ ...APP, 'embed-skills.config.json': CONFIG })
  expect(await cli(root, 'build', '--out', 'skills.js')).toEqual({
    code: 0,
    output: 'skills.js: 1 skill · 1 file · 1 kB │ inline: below 1 MiB\n',
  })
  expect(await uris(root)).toEqual(['skill://acme/refunds/SKILL.md'])
  expect((await cli(root, 'build', '--out', 'skills.js', '--check')).code).toBe(0)
})

test('--watch follows the configuration file and the lock, and survives what is broken in them', async () => {
  const config = (options: object): string =>
    JSON.stringify({ from: 'skills/refunds', base: 'agent', ...options })
  const root = await app({ ...APP, 'embed-skills.config.json': config({}) })
  const { said } = startCli(root, 'build', '--out', 'out/skills.js', '--watch')
  const written = (): Promise<string[]> => uris(root, 'out/skills.js')
  const save = (text: string) => (): Promise<void> =>
    writeFile(path.join(root, 'embed-skills.config.json'), text)
  await eventually(async () => expect(await written()).toEqual(['skill://refunds/SKILL.md']))
  await eventually(() => expect(said()).toContain('is no JSON'), save('{'))
  await eventually(
    async () => expect(await written()).toEqual(['skill://acme/refunds/SKILL.md']),
    save(config({ prefix: 'acme' })),
  )
  await eventually(
    () => expect(said()).toContain('There is no skills.lock.json'),
    save(config({ prefix: 'other', lock: true })),
  )
  await succeed(cli(root, 'lock'))
  await eventually(async () => expect(await written()).toEqual(['skill://other/refunds/SKILL.md']))
})

test('options of the command line win over the file', async () => {
  const root = await app({ ...APP, 'embed-skills.config.json': CONFIG })
  await succeed(cli(root, 'build', '--out', 'skills.js', '--prefix', 'other', '--ignore', '**/support'))
  expect(await uris(root)).toEqual(['skill://other/refunds/SKILL.md'])
  expect(await readFile(path.join(root, 'skills.js'), 'utf8')).toContain('not for users')
})

test('without a file, options say where skills are, what they are called and what is left out', async () => {
  const root = await app(APP)
  const options = [
    '--base',
    'agent',
    '--prefix',
    'acme',
    '--main-file',
    'README.md',
    '--ignore',
    '**/refunds',
  ]
  await succeed(cli(root, 'build', 'skills/*', '--out', 'skills.js', ...options))
  expect(await uris(root)).toEqual(['skill://acme/support/SKILL.md'])
  await succeed(cli(root, 'types', 'skills/*', ...options))
  expect(await readFile(path.join(root, 'embed-skills.d.ts'), 'utf8')).toContain('"acme/support": {')
})

test('rules and their severities hold for build', async () => {
  const root = await app({
    ...APP,
    'embed-skills.config.json': '{ "from": "agent/skills/refunds", "rules": { "broken-link": "error" } }',
  })
  await writeFile(path.join(root, 'agent/skills/refunds/SKILL.md'), `${skillMd('refunds')}[gone](gone.md)\n`)
  const { code, output } = await cli(root, 'build', '--out', 'skills.js')
  expect(code).toBe(1)
  expect(output).toContain('1 error: skills.js is left as it was')
  await succeed(cli(root, 'build', '--out', 'skills.js', '--rule', 'broken-link=off'))
})

test('a lock that the configuration asks for is compared in each build', async () => {
  const root = await app({
    ...APP,
    'embed-skills.config.json': '{ "from": "agent/skills/refunds", "lock": true }',
  })
  expect((await cli(root, 'build', '--out', 'skills.js')).output).toContain(
    'Write it with `embed-skills lock`',
  )
  await succeed(cli(root, 'lock'))
  await succeed(cli(root, 'build', '--out', 'skills.js'))
  await writeFile(path.join(root, 'agent/skills/refunds/tests/a.md'), 'changed')
  const { code, output } = await cli(root, 'build', '--out', 'skills.js')
  expect(code).toBe(1)
  expect(output).toContain('~ tests/a.md')
  expect(output).toContain('skills.js is left as it was')
})

test('types takes the set of the configuration file where no Vite does', async () => {
  const root = await app({ ...APP, 'embed-skills.config.json': CONFIG })
  expect(await cli(root, 'types')).toEqual({ code: 0, output: 'embed-skills.d.ts: written\n' })
  expect(await readFile(path.join(root, 'embed-skills.d.ts'), 'utf8')).toContain('"acme/refunds": {')
  // Options reach the set of the file, ids of one's own and not the macro.
  await succeed(cli(root, 'types', '--prefix', 'other', '--out', 'one.d.ts'))
  expect(await readFile(path.join(root, 'one.d.ts'), 'utf8')).toContain('"other/refunds": {')
  const sets = ['skills/*', 'virtual:more=skills/*', '/agent/skills/refunds']
  await succeed(cli(root, 'types', ...sets, '--out', 'two.d.ts'))
  const text = await readFile(path.join(root, 'two.d.ts'), 'utf8')
  expect(text).toContain('declare module "virtual:more/acme/refunds"')
  expect(text).toMatch(/"\/agent\/skills\/refunds": \{\n {4}readonly refunds: \{/)
})

test('without globs and a file, both say how to name skills', async () => {
  const root = await app(APP)
  for (const args of [['build', '--out', 'x.ts'], ['types']]) {
    const { code, output } = await cli(root, ...args)
    expect(code).toBe(2)
    expect(output).toContain(`Say where skills are: embed-skills ${args[0]} 'skills/*'`)
  }
})

test('the configuration is read with the engine of other templates', async () => {
  const root = await app({
    ...APP,
    'agent/skills/refunds/mail.md.braces': 'Dear {{name}}',
    'embed-skills.config.ts': `
const braces = {
  hasTags: (text: string) => text.includes('{{'),
  compile: (source: string) =>
    \`(data) => \${JSON.stringify(source)}.replace(/{{(\\\\w+)}}/g, (_, name) => data[name])\`,
}
export default { from: 'agent/skills/refunds', templates: { '.braces': braces }, rules: { 'template-skill': 'off' } }
`,
  })
  await addFiles(root, {
    'main.js': `
import { renderSkill, skillRoute } from '@embed-skills/runtime/define'
import { contents } from '@embed-skills/runtime/testing'
import skills from './skills.js'
const route = skillRoute('people/:name/refunds', ({ name }) => renderSkill(skills, 'refunds', { name }))
console.log((await contents(route, { path: 'people/Jo/refunds' }))['mail.md'])
`,
  })
  expect((await cli(root, 'build', '--out', 'skills.js')).output).toContain(
    '"refunds" holds templates, for renderSkill',
  )
  const { run } = await import('../support/apps.ts')
  expect((await run(root, process.execPath, 'main.js')).output).toBe('Dear Jo\n')
  expect((await cli(root, 'check')).code).toBe(0)
})
