/**
 * One process at a time at what several share. Whoever wants to be puts a file of a name of its own into a folder,
 * and has its turn once it finds no other there: nobody can take away another's claim in place of one that was left
 * over, as happens where there is one file for all.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { inTurn } from '../turns.ts'
import { unlessMissing } from './missing.ts'

export interface LockOptions {
  /** How long to wait for others, in milliseconds. */
  readonly patience?: number
  readonly signal?: AbortSignal | undefined
}

/** Milliseconds after which a claim is left over, and between the signs of life of one that is not. */
const [LEFT_OVER, BEAT] = [60_000, 10_000]

/** This machine, as it may stand in a name. */
const HOST = encodeURIComponent(hostname())
  .replaceAll(/[^\w.%-]/g, '_')
  .slice(0, 100)

/** What comes of a folder that is being removed; Windows says it in several ways. */
const PASSING = new Set<string | undefined>(
  process.platform === 'win32' ? ['ENOENT', 'EPERM', 'EACCES', 'EBUSY'] : ['ENOENT'],
)

/**
 * Does something once no other process, and nothing else in this one, is at work on a file. It should be short, and
 * wait for no server: others wait for it.
 *
 * @param place An absolute path. Beside it, `<place>.lock` is a folder for as long as there is work.
 * @throws Error if another process is at work for longer than the patience, or what the signal says.
 */
export function locked<T>(
  place: string,
  work: () => Promise<T>,
  { patience = 20_000, signal }: LockOptions = {},
): Promise<T> {
  return inTurn(place, async () => {
    const release = await claim(place, patience, signal)
    try {
      return await work()
    } finally {
      await release()
    }
  })
}

async function claim(
  place: string,
  patience: number,
  signal: AbortSignal | undefined,
): Promise<() => Promise<void>> {
  const folder = `${place}.lock`
  const name = [randomUUID(), process.pid, HOST].join('~')
  const own = path.join(folder, name)
  const beat = setInterval(() => void touch(own), BEAT).unref()
  const release = async (): Promise<void> => {
    clearInterval(beat)
    // The work is done, or has failed for a reason of its own. A claim that stays is left over in a while.
    await rm(own, { force: true }).catch(() => {})
    await rmdir(folder).catch(() => {})
  }
  const end = performance.now() + patience
  try {
    for (;;) {
      signal?.throwIfAborted()
      const others = (await put(own)) ? await othersIn(folder, name) : undefined
      if (others?.length === 0) return release
      // Of those that wait, the first by name is next; the others take their claims back, so that it will be alone.
      if (others?.some((other) => other < name)) await rm(own, { force: true })
      if (performance.now() > end) throw new Error(whyWaiting(place, others ?? []))
      await setTimeout(10 + Math.random() * 20, undefined, { signal }).catch(() => {})
    }
  } catch (error) {
    await release()
    throw error
  }
}

/** Gives whether it is there: the one before removes the folder, even while it is made. */
async function put(own: string): Promise<boolean> {
  try {
    await mkdir(path.dirname(own), { recursive: true })
    await writeFile(own, '')
    return true
  } catch (error) {
    if (PASSING.has((error as NodeJS.ErrnoException).code)) return false
    throw error
  }
}

async function touch(own: string): Promise<void> {
  const now = new Date()
  await utimes(own, now, now).catch(() => {})
}

/** The claims of others that live; nothing where the own one is not to be seen. */
async function othersIn(folder: string, own: string): Promise<string[] | undefined> {
  const names = (await unlessMissing(readdir(folder))) ?? []
  if (!names.includes(own)) return undefined
  const others: string[] = []
  for (const name of names) {
    if (name === own || !ownerOf(name)) continue
    if (await isLeftOver(folder, name)) await rm(path.join(folder, name), { force: true })
    else others.push(name)
  }
  return others
}

function ownerOf(name: string): { pid: number; host: string } | undefined {
  const [, pid, host] = /^[0-9a-f-]{36}~(\d{1,10})~([\w.%-]*)$/.exec(name) ?? []
  return pid === undefined ? undefined : { pid: Number(pid), host: host! }
}

/** Of a process of this machine that has ended, or of any that has given no sign of life for long. */
async function isLeftOver(folder: string, name: string): Promise<boolean> {
  const { pid, host } = ownerOf(name)!
  if (host === HOST && !isRunning(pid)) return true
  const found = await unlessMissing(stat(path.join(folder, name)))
  return found !== undefined && Date.now() - found.mtimeMs > LEFT_OVER
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It is there, and another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function whyWaiting(place: string, [other]: readonly string[]): string {
  const owner = other === undefined ? undefined : ownerOf(other)
  const who = owner ? `process ${owner.pid} on ${owner.host}` : 'another process'
  return `${place} is not changed: ${who} is at work on it. Try again once it has ended, or remove ${place}.lock if it has.`
}
