import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { cloudflare } from '@cloudflare/vite-plugin'
import { compile, emitFiles, emitModules } from '@embed-skills/compiler'
import { rspack } from '@rspack/core'
import forEsbuild from 'unplugin-embed-skills/esbuild'
import forRspack from 'unplugin-embed-skills/rspack'
import forWebpack from 'unplugin-embed-skills/webpack'
import type { PluginOptions } from 'unplugin-embed-skills/vite'
import embedSkills from 'unplugin-embed-skills/vite'
import type { Plugin } from 'vite'
import { describe, expect, test } from 'vitest'
import webpack from 'webpack'
import { addFiles, app, printed } from '../support/apps.ts'
import { buildEnvironments, buildWithEsbuild, buildWithVite } from '../support/builds.ts'
import { pack, rewriting } from '../support/pack.ts'

const head = '---\nname: mail\ndescription: Writes a mail. Use it.\n---\n'
const TEXT =
  'Dear <%= it.name %>,\n\nthis is version {{version}} of `us` & ${them}.\n<% if (it.long) { %>\nAnd there is more to be said.\n<% } %>\n'
const APP = {
  'package.json': '{ "type": "module" }',
  'skills/mail/SKILL.md.eta': head + TEXT,
  // Code that a minifier leaves out, with its text, and texts that it makes one of.
  'skills/mail/dead.md.eta':
    '<% if (false) { %>\nNobody ever reads this text.\n<% } %>\nOne text<%= " and another one" %> and a third.\n',
  'main.js': `import { renderSkill } from '@embed-skills/runtime/define'
import { contents } from '@embed-skills/runtime/testing'
import skills from 'virtual:skills'
console.log(JSON.stringify(await contents(renderSkill(skills, 'mail', { name: 'Ada', long: true }))))
`,
}
const RENDERED = {
  'SKILL.md': `${head}Dear Ada,\n\nthis is version {{version}} of \`us\` & \${them}.\nAnd there is more to be said.\n`,
  'dead.md': 'One text and another one and a third.\n',
}

async function buildWith(
  options: Partial<PluginOptions>,
  minify: false | 'esbuild' | 'oxc',
  ...plugins: Plugin[]
): Promise<string> {
  const root = await app(APP)
  await buildWithVite(root, [embedSkills({ from: 'skills/*', ...options }), ...plugins], minify)
  return root
}

const rewrite = (code: string): string => code.replaceAll('{{version}}', '1.0.0')
const REWRITTEN =
  /SKILL\.md of the skill "mail", in .*\n\W+compiled: \\?".*{{version}}.*\n\W+written: {2}\\?".*1\.0\.0/

const ways = (['inline', 'chunks'] as const).flatMap((content) =>
  ([false, 'esbuild', 'oxc'] as const).map((minify) => [content, minify] as const),
)

describe('X5: the bundle holds the texts of templates', () => {
  test.each(ways)('Vite, %s, minify: %s', async (content, minify) => {
    expect(await printed(await buildWith({ content }, minify))).toEqual(RENDERED)
    const fillIn: Plugin = { name: 'fill-in', renderChunk: rewrite }
    const error = await buildWith({ content }, minify, fillIn).catch(String)
    expect(error).toMatch(REWRITTEN)
    expect(error).toContain(
      'The plugin "fill-in" rewrites the text of chunks. Skills would say something else',
    )
    // Which does not go with templates.
    expect(error).not.toContain('base64')
    await buildWith({ content, verify: false }, minify, fillIn)
  })

  test.each([
    ['webpack', webpack, forWebpack],
    ['Rspack', rspack, forRspack],
  ] as const)('%s', async (_, bundler, forBundler) => {
    const root = await app(APP)
    await pack(bundler, root, [forBundler('skills/*')])
    expect(await printed(root)).toEqual(RENDERED)
    await expect(pack(bundler, root, [forBundler('skills/*'), rewriting(rewrite)])).rejects.toThrow(REWRITTEN)
  })

  test('esbuild', async () => {
    const root = await app(APP)
    await buildWithEsbuild(root, [forEsbuild('skills/*')], true)
    expect(await printed(root)).toEqual(RENDERED)
  })
})

describe('templates are code', () => {
  const refusal = (asked: string, remedy: string): string =>
    `the templates of the skill "mail" are code, which ${asked} cannot hold. Templates need ${remedy}`

  test('a plugin that is told to write base64 refuses them', async () => {
    await expect(buildWith({ encoding: 'base64' }, false)).rejects.toThrow(
      refusal('encoding "base64"', 'encoding "utf8"'),
    )
  })

  test('so do emitModules and emitFiles', async () => {
    const { skills, templates } = await compile('skills/*', { root: await app(APP) })
    expect(() => emitModules(skills, { content: 'pack', templates })).toThrow(
      refusal('content "pack"', 'content "inline" or "chunks"'),
    )
    expect(() => emitModules(skills, { content: 'inline', encoding: 'base64', templates })).toThrow(
      refusal('encoding "base64"', 'encoding "utf8"'),
    )
    expect(() => emitFiles(skills, { file: 'skills.ts', content: 'pack', templates })).toThrow(
      refusal('content "pack"', 'content "inline" or "chunks"'),
    )
  })

  test('in a Worker that would get a pack for its size, they are inlined; one that is told to is refused', async () => {
    const root = await app({
      ...APP,
      'skills/large/SKILL.md': '---\nname: large\ndescription: Is large. Use it.\n---\n',
      'skills/large/data.txt': 'x'.repeat(2 ** 20),
      'main.js': `import { renderSkill } from '@embed-skills/runtime/define'
import skills from 'virtual:skills'
export default { fetch: () => new Response(renderSkill(skills, 'mail', {}).uri) }
`,
      'wrangler.json': JSON.stringify({ name: 'app', main: 'main.js', compatibility_date: '2026-10-01' }),
    })
    const buildWorker = (options: Partial<PluginOptions>): Promise<void> =>
      buildEnvironments(root, [cloudflare(), embedSkills({ from: 'skills/*', ...options })])
    await buildWorker({})
    const written = await readdir(path.join(root, 'dist'), { recursive: true })
    expect(written.filter((name) => name.endsWith('.bin'))).toEqual([])
    await expect(buildWorker({ content: 'pack' })).rejects.toThrow(
      refusal('content "pack"', 'content "inline" or "chunks"'),
    )
  })
})

test('S3: a template of a main file that has another name', async () => {
  const root = await app({
    'skills/mail/README.md.eta': `${head}Dear <%= it.name %>\n`,
    'skills/mail/notes.md': 'Notes',
    'skills/plain/README.md': head.replace('mail', 'plain'),
  })
  const { skills, templates, diagnostics } = await compile(
    { from: 'skills/*', mainFile: 'README.md' },
    { root },
  )
  expect(skills.map(({ path }) => path)).toEqual(['plain'])
  expect(templates.map(({ path, files }) => [path, ...files.map((file) => file.path)])).toEqual([
    ['mail', 'SKILL.md', 'notes.md'],
  ])
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])

  await addFiles(root, { 'skills/mail/SKILL.md.eta': head })
  expect((await compile({ from: 'skills/*', mainFile: 'README.md' }, { root })).diagnostics).toContainEqual(
    expect.objectContaining({ rule: 'main-file', file: 'skills/mail/SKILL.md.eta' }),
  )
  await addFiles(root, { 'skills/bad/README.md.eta': `${head.replace('mail', 'bad')}<%= it. %>` })
  expect((await compile({ from: 'skills/*', mainFile: 'README.md' }, { root })).diagnostics).toContainEqual(
    expect.objectContaining({ rule: 'template', file: 'skills/bad/README.md.eta', line: 5, column: 8 }),
  )
})
