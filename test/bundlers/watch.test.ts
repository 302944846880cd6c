/**
 * Changes skills while each bundler watches them. What comes out has to become what the compiler says, however
 * long that takes.
 */
// `settled` waits for what is expected, and fails when it does not come.
/* oxlint-disable vitest/expect-expect */
import { appendFile, mkdir, mkdtemp, realpath, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { compile } from '@embed-skills/compiler'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { run } from '../support/runtimes.ts'
import type { Watching } from './support/watchers.ts'
import { filesIn, WATCHERS } from './support/watchers.ts'

// A machine may have much else to do.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

/** Writes the digests of all files, by URI, once their contents are loaded. */
const ENTRY = `
import { skills, load } from './skills.js'

async function main() {
  const found = []
  for (const [uri, json] of Object.entries(skills))
    for (const [path, , size, sha256, group, slot] of JSON.parse(json).slice(1)) {
      if (slot === undefined) continue // an empty folder
      const content = (await load(group))[slot]
      const length = slot[0] === 't' ? new TextEncoder().encode(content).length : atob(content).length
      if (length !== size) throw new Error(path + ' has other contents')
      found.push(uri.slice(0, -8) + path + ' ' + sha256)
    }
  console.log(JSON.stringify(found))
}
main()
`

function skillMd(name: string): string {
  return `---\nname: ${name}\ndescription: Does ${name}.\n---\nBody of ${name}.\n`
}

describe.each(Object.entries(WATCHERS))('%s', (_, watch) => {
  let top: string
  let root: string
  let out: string
  let watching: Watching
  const messages: string[] = []

  const at = (file: string): string => path.join(root, 'skills', file)

  async function fromBundle(): Promise<string[]> {
    return JSON.parse(await run('node24', watching.file)) as string[]
  }

  async function fromDisk(): Promise<string[]> {
    const { skills } = await compile('skills/**', { root })
    return skills.flatMap(({ uri, files }) =>
      files.map((file) => `${uri.slice(0, -8)}${file.uri.slice(uri.length - 8)} ${file.digest.slice(7)}`),
    )
  }

  /** Until the bundle says what is on disk, and the bundler is at rest. */
  async function settled(): Promise<string[]> {
    let found: string[] = []
    await eventually(async () => {
      found = await fromBundle()
      expect(found).toEqual(await fromDisk())
    })
    // An edit right at the end of a build goes unseen in some.
    for (let builds = -1; builds !== watching.builds(); await setTimeout(200)) builds = watching.builds()
    return found
  }

  beforeAll(async () => {
    top = await realpath(await mkdtemp(path.join(tmpdir(), 'embed-skills-watch-')))
    root = path.join(top, 'project')
    out = path.join(top, 'out')
    for (const name of ['a', 'b']) {
      await mkdir(at(name), { recursive: true })
      await writeFile(at(`${name}/SKILL.md`), skillMd(name))
    }
    await writeFile(at('a/notes.md'), 'notes')
    const entry = path.join(root, 'entry.js')
    await writeFile(entry, ENTRY)
    await writeFile(
      path.join(root, 'skills.js'),
      "import set from 'virtual:skills'\nexport const { skills, load } = set\n",
    )
    await writeFile(path.join(top, 'package.json'), '{ "type": "module" }')
    watching = await watch({
      root,
      entry,
      out,
      options: { from: 'skills/**', content: 'chunks' },
      log: (text) => messages.push(text),
    })
    await eventually(() => {
      if (watching.builds() === 0) throw new Error('Nothing was built yet')
    })
  })

  afterAll(async () => {
    await watching.stop()
    // Some still write when they say that they have stopped.
    await rm(top, { recursive: true, force: true, maxRetries: 10 })
  })

  test('what is there', async () => {
    expect(await settled()).toEqual(await fromDisk())
  })

  test('a file is edited', async () => {
    await appendFile(at('a/notes.md'), ', more')
    expect(await settled()).toEqual(await fromDisk())
  })

  test('a file is saved by renaming another', async () => {
    await writeFile(path.join(top, 'temporary'), 'notes, saved')
    await rename(path.join(top, 'temporary'), at('a/notes.md'))
    expect(await settled()).toEqual(await fromDisk())
  })

  test('a change is one rebuild, of the index and the chunk of that skill alone', async () => {
    expect(await settled()).toEqual(await fromDisk())
    const before = filesIn(out)
    const outputs = watching.outputs()
    // There is no moment at which it is neither the old file nor the new one.
    await writeFile(path.join(top, 'temporary'), 'notes, saved again')
    await rename(path.join(top, 'temporary'), at('a/notes.md'))
    expect(await settled()).toEqual(await fromDisk())
    await eventually(() => expect(watching.outputs()).toBe(outputs + 1))
    const ofOther = (files: ReadonlyMap<string, string>): [string, string][] =>
      [...files].filter(([, code]) => code.includes('Body of b.'))
    expect(ofOther(before)).toHaveLength(1)
    expect(ofOther(filesIn(out))).toEqual(ofOther(before))
  })

  test('a file is added, and one in a new folder', async () => {
    await writeFile(at('a/added.bin'), Uint8Array.of(0, 1, 2))
    expect(await settled()).toEqual(await fromDisk())
    await mkdir(path.join(top, 'deep/er'), { recursive: true })
    await writeFile(path.join(top, 'deep/er/added.md'), 'added')
    await rename(path.join(top, 'deep'), at('a/deep'))
    expect(await settled()).toEqual(await fromDisk())
  })

  test('the same content in another skill moves to a place of its own', async () => {
    await writeFile(at('b/copy.md'), 'notes, saved again')
    expect(await settled()).toEqual(await fromDisk())
  })

  test('a file is renamed, and a folder', async () => {
    await rename(at('a/notes.md'), at('a/renamed.md'))
    expect(await settled()).toEqual(await fromDisk())
    await rename(at('a/deep'), at('a/deeper'))
    expect(await settled()).toEqual(await fromDisk())
  })

  test('a file is removed', async () => {
    await rm(at('a/renamed.md'))
    expect(await settled()).toEqual(await fromDisk())
  })

  test('a skill is added', async () => {
    await mkdir(at('c'))
    await writeFile(at('c/SKILL.md'), skillMd('c'))
    expect(await settled()).toEqual(await fromDisk())
  })

  test('a broken skill is reported, and mended', async () => {
    messages.length = 0
    await writeFile(at('b/SKILL.md'), '---\nname: other\ndescription: Other.\n---\n')
    await eventually(() => {
      const about = messages.filter((message) => message.includes('skills/b/SKILL.md'))
      expect(about.join('\n')).toContain('name')
    })
    await writeFile(at('b/SKILL.md'), skillMd('b'))
    expect(await settled()).toEqual(await fromDisk())
  })

  test('a skill is removed', async () => {
    await rm(at('b'), { recursive: true })
    expect(await settled()).toEqual(await fromDisk())
  })

  test('a rebuild that changes nothing says nothing', async () => {
    expect(await settled()).toEqual(await fromDisk())
    messages.length = 0
    const before = watching.builds()
    await utimes(at('a/SKILL.md'), new Date(), new Date())
    // Another module changes, so that there is a rebuild to wait for.
    await appendFile(path.join(root, 'skills.js'), '// changed\n')
    await eventually(() => expect(watching.builds()).toBeGreaterThan(before))
    expect(messages.filter((message) => /\d skills? ·|SKILL\.md/.test(message))).toEqual([])
  })
})
