import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import embedSkills from 'unplugin-embed-skills/vite'
import type { PluginOptions } from 'unplugin-embed-skills/vite'
import { describe, expect, test } from 'vitest'
import { cli } from '../support/cli.ts'
import { writeTree as tree } from '../support/tree.ts'

const skill = (name: string): string => `---\nname: ${name}\ndescription: Handles ${name}\n---\nBody\n`
const files = {
  'skills/refunds/SKILL.md': skill('refunds'),
  'other/support/SKILL.md': skill('suport'),
  'package.json': '{ "type": "module" }',
  'entry.js': "import skills from 'virtual:skills'\nexport default Object.keys(skills.skills)\n",
}

const script = path.join(import.meta.dirname, '../support/build.ts')

/** The URIs of the skills in a build, or the message of its error. */
async function uris(root: string, options?: PluginOptions): Promise<string[] | string> {
  const args = [script, root, ...(options === undefined ? [] : [JSON.stringify(options)])]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as string[] | string
}

describe('the configuration file', () => {
  test('says it all, where the plugin has no options', async () => {
    const root = tree({
      ...files,
      'embed-skills.config.ts': "export default { from: 'skills/*', prefix: 'acme' satisfies string }\n",
    })
    expect(await uris(root)).toEqual(['skill://acme/refunds/SKILL.md'])
  })

  test('where both say something the plugin wins, and each rule counts for itself', async () => {
    const config = { from: 'skills/*', prefix: 'acme', rules: { 'name-mismatch': 'off' } }
    const root = tree({ ...files, 'embed-skills.config.json': JSON.stringify(config) })
    expect(await uris(root, { from: 'other/*', rules: { 'body-length': 'off' } })).toEqual([
      'skill://acme/support/SKILL.md',
    ])
    expect(await uris(root, { from: 'other/*', configFile: false })).toContain('[name-mismatch]')
  })

  test('without sources from either there is an error', async () => {
    expect(await uris(tree(files))).toContain('say where skills are')
    expect(() => embedSkills({ configFile: false })).toThrow('say where skills are')
  })
})

describe('lock: true', () => {
  test('fails the build when a digest differs, in terms of approvals', async () => {
    const root = tree(files)
    expect(await uris(root, { from: 'skills/*', lock: true })).toContain(
      'There is no skills.lock.json. Write it with `embed-skills lock`',
    )
    await cli(root, ['lock', 'skills/*'])
    expect(await uris(root, { from: 'skills/*', lock: true })).toEqual(['skill://refunds/SKILL.md'])
    fs.appendFileSync(path.join(root, 'skills/refunds/SKILL.md'), 'More.\n')
    const message = await uris(root, { from: 'skills/*', lock: true })
    expect(message).toContain(
      'Changed, so that users who approved them will be asked again:\n  refunds\n    ~ SKILL.md',
    )
    expect(message).toContain('run `embed-skills lock` and commit skills.lock.json')
  })
})
