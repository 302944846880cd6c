// `heard` waits for what is expected, and fails when it does not come.
/* oxlint-disable vitest/expect-expect */
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FolderWatcher } from './folder-watcher.ts'

vi.setConfig({ testTimeout: 60_000 })

let root: string
let told: string[]
let watcher: FolderWatcher

const at = (file: string): string => path.join(root, file)
const heard = (file: string): Promise<unknown> =>
  vi.waitFor(() => expect(told).toContain(at(file)), { timeout: 30_000 })

function watch(directories: string[], missing: string[] = [], files: string[] = []): void {
  const absolute = (names: string[]): string[] => names.map(at)
  watcher.watch({
    directories: absolute(directories),
    missing: absolute(missing),
    files: absolute(files),
  })
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'embed-skills-folders-')))
  mkdirSync(at('skills'))
  told = []
  watcher = new FolderWatcher(async (changed) => {
    told.push(...changed)
  })
})

afterEach(() => {
  watcher.close()
  rmSync(root, { recursive: true, force: true })
})

test('a folder counts as changed when it comes to be watched, and what happens in it is told', async () => {
  watch(['skills'])
  await heard('skills')
  writeFileSync(at('skills/a.md'), 'a')
  await heard('skills/a.md')
  renameSync(at('skills/a.md'), at('skills/b.md'))
  await heard('skills/b.md')
})

test('the folder of a file, and the nearest one of what is not there', async () => {
  watch([], ['other/skills'], ['embed-skills.config.json'])
  mkdirSync(at('other'))
  await heard('other/skills')
  writeFileSync(at('embed-skills.config.json'), '{}')
  await heard('embed-skills.config.json')
})

test("of a folder that was asked for by its files, the others are nobody's business", async () => {
  watch([], ['late/skills'], ['embed-skills.config.json'])
  await heard('')
  writeFileSync(at('other.txt'), 'other')
  writeFileSync(at('embed-skills.config.json'), '{}')
  await heard('embed-skills.config.json')
  mkdirSync(at('late'))
  await heard('late/skills')
  expect(told).not.toContain(at('other.txt'))
})

test('a folder that is removed and made again is watched again', async () => {
  watcher.close()
  watcher = new FolderWatcher(async (changed) => {
    told.push(...changed)
    watch(['skills'])
  })
  watch(['skills'])
  await heard('skills')
  rmSync(at('skills'), { recursive: true })
  mkdirSync(at('skills'))
  // Written before it is watched, or after.
  writeFileSync(at('skills/again.md'), 'again')
  await vi.waitFor(
    () => {
      writeFileSync(at('skills/more.md'), 'more')
      expect(told).toContain(at('skills/more.md'))
    },
    { timeout: 30_000 },
  )
})

test('changes that come while others are looked at are told afterwards', async () => {
  let end = (): void => undefined
  let calls = 0
  watcher.close()
  watcher = new FolderWatcher(async (changed) => {
    calls++
    told.push(...changed)
    await new Promise<void>((done) => (end = done))
  })
  watch(['skills'])
  await heard('skills')
  writeFileSync(at('skills/a.md'), 'a')
  await vi.waitFor(() => {
    // Each is ended when it has begun.
    end()
    expect(told).toContain(at('skills/a.md'))
  }, 30_000)
  expect(calls).toBeGreaterThan(1)
})
