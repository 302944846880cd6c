/** Run by the oldest Node that is supported, in a project that has the packed packages: `node smoke.mjs <folder>`. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { compile, emitModules } from '@embed-skills/compiler'
import { getSkill, readFile } from '@embed-skills/runtime'
import { serveSkills } from '@embed-skills/runtime/fetch'
import { attachSkills } from '@embed-skills/runtime/mcp'
import embedSkills from 'unplugin-embed-skills/vite'
import { build } from 'vite'

const root = process.argv[2]
const files = {
  'skills/a/SKILL.md': '---\nname: a\ndescription: Does a.\n---\nBody\r\n',
  'skills/a/x.bin': Uint8Array.of(0, 255),
  'skills/b/SKILL.md': '\ufeff---\nname: b\ndescription: Does b.\n---\n',
  'skills/b/ü.md': 'Umlaut',
  'package.json': '{"type":"module"}',
  'entry.js': "export { default } from 'virtual:skills'\n",
}
for (const [name, content] of Object.entries(files)) {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
  writeFileSync(path.join(root, name), content)
}

const { skills, diagnostics } = await compile('skills/*', { root })
assert.deepEqual(diagnostics, [])
assert.deepEqual([...emitModules(skills, { content: 'chunks' }).keys()].length, 5)

await build({
  root,
  configFile: false,
  logLevel: 'error',
  plugins: [embedSkills('skills/*')],
  build: { ssr: path.join(root, 'entry.js') },
})
const { default: compiled } = await import(pathToFileURL(path.join(root, 'dist/entry.js')).href)
const server = serveSkills(compiled, { name: 'smoke', version: '1.0.0' })

async function ask(method, params) {
  const request = new Request('http://localhost/', {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return (await (await server.fetch(request)).json()).result
}

let verified = 0
const listed = await ask('skills/list', {})
for (const { resources } of listed.skills)
  for (const { uri, digest } of resources) {
    const [{ text, blob }] = (await ask('resources/read', { uri })).contents
    const bytes = text === undefined ? Buffer.from(blob, 'base64') : Buffer.from(text)
    assert.equal(`sha256:${createHash('sha256').update(bytes).digest('hex')}`, digest)
    verified++
  }
assert.equal(getSkill(compiled, 'a').frontmatter.name, 'a')
assert.deepEqual((await readFile(compiled, 'a', 'x.bin')).bytes, files['skills/a/x.bin'])
assert.equal((await readFile(compiled, 'b', 'ü.md')).text, 'Umlaut')
assert.throws(() => attachSkills({}, compiled), /no server of the official SDK/)
console.log(`${process.version}: ${listed.skills.length} skills, ${verified} files verified`)
