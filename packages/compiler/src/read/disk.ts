import fs from 'node:fs'
import type { Dirent } from 'node:fs'
import { isAtOrBelow, sameListing, sameReading } from './same.ts'

/** The entries of a folder by name, or why it cannot be listed (`ENOENT`, `EACCES`). */
export type Listing = { readonly entries: readonly Dirent[] } | { readonly failure: string }

/** The bytes of a file, or why it cannot be read. */
export type Reading = { readonly bytes: Uint8Array } | { readonly failure: string }

/** The disk during one compilation, or until `refresh`: each folder is listed and each file read at most once. */
export interface Disk {
  list(folder: string): Promise<Listing>
  read(file: string): Promise<Reading>
  /** What `list` found, if that folder was asked for and has been listed. */
  listed(folder: string): Listing | undefined
  /** Every folder that was listed. */
  folders(): string[]
  /** Every file that was asked for. */
  files(): string[]
  /**
   * Brings what is known up to date, and says what was no longer true.
   *
   * @param changed Files and folders, absolute, that may differ. Without them everything may.
   */
  refresh(changed?: readonly string[]): Promise<Refreshed>
}

/** What has changed on disk: contents of files, and listings of folders. Absolute paths. */
export interface Refreshed {
  readonly files: readonly string[]
  readonly folders: readonly string[]
}

/** The calls that a disk is made of. */
export type RawDisk = Pick<typeof fs, 'readdirSync' | 'readFileSync'> & {
  readonly statSync?: typeof fs.statSync
  readonly promises: Pick<typeof fs.promises, 'readdir' | 'readFile'>
}

/** @param stamps Whether to note the time of each file, so that `refresh()` need not read all of them again. */
export function createDisk(raw: RawDisk = fs, stamps = false): Disk {
  const call = createCalls()
  const listings = new Map<string, Promise<Listing>>()
  const settled = new Map<string, Listing>()
  const readings = new Map<string, Promise<Reading>>()

  const stamped = new Map<string, string>()
  const stampOf = (file: string): string => {
    const stat = raw.statSync?.(file, { throwIfNoEntry: false })
    return stat ? `${stat.mtimeMs} ${stat.ctimeMs} ${stat.size} ${stat.ino}` : ''
  }

  const list = async (folder: string): Promise<Listing> => {
    if (stamps) stamped.set(folder, stampOf(folder))
    const entries = await call(
      () => raw.readdirSync(folder, { withFileTypes: true }),
      () => raw.promises.readdir(folder, { withFileTypes: true }),
    ).then(sortByName, failureOf)
    settled.set(folder, entries)
    return entries
  }

  const read = (file: string): Promise<Reading> => {
    // Before it is read: a change in between is then seen later, not never.
    if (stamps) stamped.set(file, stampOf(file))
    return call<Uint8Array>(
      () => raw.readFileSync(file),
      () => raw.promises.readFile(file),
    ).then((bytes) => ({ bytes }), failureOf)
  }

  /** Asks again for `keys`, keeps the old answer where it is still true, and gives the keys where it is not. */
  async function renew<T extends object>(
    memory: Map<string, Promise<T>>,
    keys: readonly string[],
    ask: (key: string) => Promise<T>,
    equal: (a: T, b: T) => boolean,
  ): Promise<string[]> {
    const changes = keys.map(async (key) => {
      const [before, after] = [await memory.get(key)!, await ask(key)]
      if (equal(before, after)) return []
      if ('failure' in after && after.failure === 'ENOENT') memory.delete(key)
      else memory.set(key, Promise.resolve(after))
      return [key]
    })
    return (await Promise.all(changes)).flat()
  }

  async function refresh(changed?: readonly string[]): Promise<Refreshed> {
    const isConcerned = (key: string): boolean =>
      changed === undefined || changed.some((path) => isAtOrBelow(key, path))
    const isAbove = (key: string): boolean => changed?.some((path) => isAtOrBelow(path, key)) ?? true
    // Of what lies below a folder that changed, only the times tell.
    const isFresh = (key: string): boolean =>
      stamps && changed?.includes(key) !== true && stampOf(key) === stamped.get(key)
    const files = [...readings.keys()].filter((file) => isConcerned(file) && !isFresh(file))
    const folders = [...listings.keys()].filter(
      (folder) => (isConcerned(folder) || isAbove(folder)) && !isFresh(folder),
    )
    const before = new Map(settled)
    const listed = await renew(listings, folders, list, sameListing)
    for (const folder of folders) {
      const known = before.get(folder)
      if (known !== undefined && !listed.includes(folder)) settled.set(folder, known)
      if (!listings.has(folder)) settled.delete(folder)
    }
    return { files: await renew(readings, files, read, sameReading), folders: listed }
  }

  return {
    list: (folder) => remember(listings, folder, list),
    read: (file) => remember(readings, file, read),
    listed: (folder) => settled.get(folder),
    folders: () => [...settled.keys()],
    files: () => [...readings.keys()],
    refresh,
  }
}

function sortByName(entries: Dirent[]): Listing {
  return { entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)) }
}

function failureOf(error: NodeJS.ErrnoException): { failure: string } {
  return { failure: error.code ?? error.message }
}

/** The value of `key`, computed the first time only. */
export function remember<T>(memory: Map<string, T>, key: string, compute: (key: string) => T): T {
  let value = memory.get(key)
  if (value === undefined) {
    value = compute(key)
    memory.set(key, value)
  }
  return value
}

type Calls = <T>(now: () => T, later: () => Promise<T>) => Promise<T>

/** Milliseconds that may pass before speed is judged, and that a call may take on average from then on. */
const PATIENCE = 50
const SLOW = 0.25

/** Wide enough to keep the thread pool busy, narrow enough for any limit on open files. */
const AT_ONCE = 32

/**
 * Small files from a warm local disk come faster by synchronous calls than through the thread pool; from a cold
 * or a remote one it is the other way round. So calls are synchronous until they prove to be slow.
 */
function createCalls(): Calls {
  let calls = 0
  let spent = 0
  const gate = createGate(AT_ONCE)
  return async (now, later) => {
    if (spent > PATIENCE && spent / calls > SLOW) return gate(later)
    const start = performance.now()
    try {
      return now()
    } finally {
      calls++
      spent += performance.now() - start
    }
  }
}

/** Lets `width` jobs run at once. */
function createGate(width: number): <T>(job: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (job) => {
    if (running >= width) await new Promise<void>((enter) => waiting.push(enter))
    else running++
    try {
      return await job()
    } finally {
      // The place goes to the next in line, or is free.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
