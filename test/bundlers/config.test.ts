/** What the configuration file says holds with every bundler, the lock included. */
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { run } from '../support/runtimes.ts'
import { skillMd, temporaryFolder, writeTree } from '../support/tree.ts'
import { BUILDERS } from './support/builders.ts'

const ENTRY = "import set from 'virtual:skills'\nconsole.log(JSON.stringify(Object.keys(set.skills)))\n"

/** Builds a project whose plugin is told no sources; gives the file to run. */
function build(bundler: string, config: object): Promise<string> {
  const top = writeTree({
    'package.json': '{ "type": "module" }',
    'project/entry.js': ENTRY,
    'project/skills/first/SKILL.md': skillMd('first'),
    'project/skills/second/SKILL.md': skillMd('other'),
    'project/embed-skills.config.json': JSON.stringify(config),
  })
  const root = path.join(top, 'project')
  const project = { root, entry: path.join(root, 'entry.js'), globs: undefined as unknown as string[] }
  return BUILDERS[bundler]!(project, { content: 'inline', minify: false, out: temporaryFolder() })
}

const CONFIG = { from: 'skills/*', prefix: 'acme', rules: { 'name-mismatch': 'off' } }

describe.each(Object.keys(BUILDERS))('%s', (bundler) => {
  test('takes sources and rules from the configuration file', async () => {
    const file = await build(bundler, CONFIG)
    writeTree({ 'package.json': '{ "type": "module" }' }, path.dirname(file))
    expect(JSON.parse(await run('node24', file))).toEqual([
      'skill://acme/first/SKILL.md',
      'skill://acme/second/SKILL.md',
    ])
  })

  test('fails where skills differ from the lock', async () => {
    await expect(build(bundler, { ...CONFIG, lock: true })).rejects.toThrow('There is no skills.lock.json')
  })
})
