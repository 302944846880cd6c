import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { app, bin, cli, installRuntime, run, succeed } from '../support/apps.ts'
import { skillMd } from '../support/tree.ts'

/* Templates where no plugin runs: each command takes them in, or says what it cannot do with them. */
const APP = {
  'package.json': '{ "type": "module" }',
  'skills/plain/SKILL.md': skillMd('plain'),
  'skills/plain/LICENSE': 'Shared by both.',
  'skills/welcome/SKILL.md.eta': `${skillMd('welcome')}Write to <%= it.name %>.\n`,
  'skills/welcome/LICENSE': 'Shared by both.',
}
const MAIN = `
import { renderSkill, skillRoute } from '@embed-skills/runtime/define'
import { contents } from '@embed-skills/runtime/testing'
import skills from './skills.ts'
const route = skillRoute('people/:name/welcome', ({ name }) => renderSkill(skills, 'welcome', { name }))
const files = await contents(route, { path: 'people/Jo/welcome' })
console.log(JSON.stringify([Object.keys(skills.skills), files['SKILL.md'], files['LICENSE']]))
`
const RENDERED = [['skill://plain/SKILL.md'], true, 'Shared by both.']

test.each(['inline', 'chunks'])('build writes them as code that the app renders (%s)', async (content) => {
  const root = await app({ ...APP, 'main.ts': MAIN })
  await installRuntime(root)
  await succeed(cli(root, 'build', 'skills/*', '--out', 'skills.ts', '--content', content))
  for (const command of [
    [process.execPath, '--disable-warning=ExperimentalWarning', 'main.ts'],
    [bin('deno'), 'run', '--quiet', '--allow-all', '--node-modules-dir=manual', 'main.ts'],
  ]) {
    const [uris, text, license] = JSON.parse(await succeed(run(root, command[0]!, ...command.slice(1))))
    expect([uris, text.endsWith('Write to Jo.\n'), license]).toEqual(RENDERED)
  }
})

test.each([
  ['--content', 'pack'],
  ['--encoding', 'base64'],
])('%s %s holds no code, and says so', async (...option) => {
  const root = await app(APP)
  const { code, output } = await cli(root, 'build', 'skills/*', '--out', 'skills.ts', ...option)
  expect(code).toBe(1)
  expect(output).toBe(
    `"welcome" holds templates, which are code, and ${option.join(' ')} cannot hold code: skills.ts is left as it was\n`,
  )
})

test('lock locks their sources, and says so', async () => {
  const root = await app(APP)
  expect((await cli(root, 'lock', 'skills/*')).output).toBe(
    'skills.lock.json: 2 skills; "welcome" holds templates, locked by their sources\n',
  )
  const lock = JSON.parse(await readFile(path.join(root, 'skills.lock.json'), 'utf8'))
  expect(Object.keys(lock.skills)).toEqual(['plain'])
  expect(Object.keys(lock.templates)).toEqual(['welcome'])
  expect((await cli(root, 'lock', '--check', 'skills/*')).code).toBe(0)

  const file = path.join(root, 'skills/welcome/SKILL.md.eta')
  await writeFile(file, `${await readFile(file, 'utf8')}And more.\n`)
  const changed = await cli(root, 'lock', '--check', 'skills/*')
  expect(changed.code).toBe(1)
  expect(changed.output).toContain('  welcome\n    ~ SKILL.md\n')
  await writeFile(file, APP['skills/welcome/SKILL.md.eta'].replaceAll('\n', '\r\n'))
  expect((await cli(root, 'lock', '--check', 'skills/*')).output).toContain('line endings alone')
})

test('a lock is told apart when a skill begins to hold templates', async () => {
  const root = await app({ ...APP, 'skills/welcome/SKILL.md.eta': skillMd('welcome') })
  await succeed(cli(root, 'lock', 'skills/*'))
  const { rename } = await import('node:fs/promises')
  await rename(path.join(root, 'skills/welcome/SKILL.md.eta'), path.join(root, 'skills/welcome/SKILL.md'))
  expect((await cli(root, 'lock', '--check', 'skills/*')).code).toBe(1)
})

test('serve names what it cannot render', async () => {
  const root = await app({ 'skills/welcome/SKILL.md.eta': APP['skills/welcome/SKILL.md.eta'] })
  const { code, output } = await cli(root, 'serve', 'skills/*')
  expect(code).toBe(1)
  expect(output).toContain('"welcome" holds templates: what they say depends on data')
  expect(output).toContain('There is no other skill to serve.')
})

test('types knows them for renderSkill, and for nothing else', async () => {
  const root = await app({
    ...APP,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        module: 'ESNext',
        moduleResolution: 'Bundler',
        target: 'ES2022',
        lib: ['ES2023', 'DOM'],
        types: ['unplugin-embed-skills/client'],
        strict: true,
        noEmit: true,
      },
      include: ['main.ts', 'embed-skills.d.ts'],
    }),
    'main.ts': `
import skills from 'virtual:skills'
import welcome from 'virtual:more/welcome'
import built from './skills.js'
import { getSkill } from '@embed-skills/runtime'
import { renderSkill } from '@embed-skills/runtime/define'

declare module '@embed-skills/runtime/define' {
  interface TemplateData {
    welcome: { name: string }
  }
}

renderSkill(skills, 'welcome', { name: 'Jo' })
renderSkill(welcome, 'welcome', { name: 'Jo' })
renderSkill(built, 'welcome', { name: 'Jo' })
// @ts-expect-error the data of another
renderSkill(skills, 'welcome', { language: 'French' })
// @ts-expect-error no templates in it
renderSkill(skills, 'plain', {})
// @ts-expect-error no such skill
renderSkill(built, 'welcom', {})
getSkill(skills, 'plain')
// @ts-expect-error it is not served by itself
getSkill(skills, 'welcome')
`,
  })
  await succeed(cli(root, 'types', 'skills/*', 'virtual:more=skills/*'))
  await succeed(cli(root, 'build', 'skills/*', '--out', 'skills.js'))
  expect(await run(root, bin('tsc'), '-p', '.')).toEqual({ code: 0, output: '' })
})
