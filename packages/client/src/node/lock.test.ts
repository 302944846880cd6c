import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { locked } from './lock.ts'

const module = JSON.stringify(new URL('lock.ts', import.meta.url).href)

async function placeInNewFolder(): Promise<string> {
  return path.join(await mkdtemp(path.join(tmpdir(), 'embed-skills-')), 'place')
}

/** Runs a script that knows `locked` and `place` in a process of its own. */
function run(place: string, source: string): Promise<number | null> {
  const head = `import { locked } from ${module}
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
const place = ${JSON.stringify(place)}
`
  const args = ['--input-type=module-typescript', '--eval', head + source]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  return new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
}

/** Reads, waits, and writes one more: whoever is there at the same time is lost. */
const COUNT = `
for (let turn = 0; turn < 25; turn++)
  await locked(place, async () => {
    const count = Number(readFileSync(place, 'utf8'))
    await setTimeout(1)
    writeFileSync(place, String(count + 1))
  }, { patience: 150_000 })`

test('N18: of several processes, one at a time has its turn, and each has it', async () => {
  const place = await placeInNewFolder()
  await writeFile(place, '0')
  expect(await Promise.all([1, 2, 3].map(() => run(place, COUNT)))).toEqual([0, 0, 0])
  expect(await readFile(place, 'utf8')).toBe('75')
  expect(await readdir(path.dirname(place))).toEqual(['place'])
})

test('N18: what a process leaves behind that ends in the middle is in nobody’s way', async () => {
  const place = await placeInNewFolder()
  await run(place, 'await locked(place, () => process.kill(process.pid, "SIGKILL"))')
  expect(await readdir(`${place}.lock`)).toHaveLength(1)
  expect(await locked(place, async () => 'done')).toBe('done')
  expect(await readdir(path.dirname(place))).toEqual([])
})

test('N18: nor is what came from a machine that has not been heard of for long', async () => {
  const place = await placeInNewFolder()
  const left = path.join(`${place}.lock`, `${crypto.randomUUID()}~1~elsewhere`)
  await mkdir(path.dirname(left))
  await writeFile(left, '')
  await expect(locked(place, async () => {}, { patience: 0 })).rejects.toThrow('process 1 on elsewhere')
  await utimes(left, 1, 1)
  expect(await locked(place, async () => 'done')).toBe('done')
})

test('N18: waiting ends: with a message that says for whom, or with the signal', async () => {
  const place = await placeInNewFolder()
  const name = `${crypto.randomUUID()}~${process.pid}~${encodeURIComponent(hostname())}`
  await mkdir(`${place}.lock`)
  await writeFile(path.join(`${place}.lock`, name), '')
  await expect(locked(place, async () => {}, { patience: 50 })).rejects.toThrow(
    `${place} is not changed: process ${process.pid} on ${hostname()} is at work on it`,
  )
  const stop = new AbortController()
  const waiting = locked(place, async () => {}, { signal: stop.signal })
  await setTimeout(20)
  stop.abort(new Error('no time'))
  await expect(waiting).rejects.toThrow('no time')
  expect(await readdir(`${place}.lock`)).toEqual([name])
})

test('N18: work that fails leaves nothing behind', async () => {
  const place = await placeInNewFolder()
  await expect(locked(place, () => Promise.reject(new Error('of the work')))).rejects.toThrow('of the work')
  expect(await readdir(path.dirname(place))).toEqual([])
  // The folder is taken away by each that finds it empty, under the hands of those that come.
  const turns = await Promise.all(Array.from({ length: 20 }, () => locked(place, async () => 1)))
  expect(turns).toHaveLength(20)
})
