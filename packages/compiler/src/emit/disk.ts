import { mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { writeWhole } from '../write-whole.ts'
import type { EmittedFiles } from './files.ts'
import { MARK } from './header.ts'
import { PACK_MAGIC } from './pack.ts'

/** How a file on disk differs from what should be there. `foreign` is somebody's own: never touched. */
export interface Difference {
  /** Relative to the folder. */
  readonly file: string
  readonly kind: 'missing' | 'stale' | 'left over' | 'foreign'
}

/** Where generated files go, and what earlier ones may have left there. */
export interface Output {
  /** Absolute. */
  readonly folder: string
  readonly files: EmittedFiles
  /** A folder in which every file of ours that is not in `files` is left over, and single files. */
  readonly leftovers?: Leftovers
}

/** What may be left of an earlier build with other options, relative to the output's folder. */
export interface Leftovers {
  readonly folder: string
  readonly files: readonly string[]
}

/** Compares with the disk, never with what was written before: others write there too. */
export async function compareWithDisk({ folder, files, leftovers }: Output): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const [file, wanted] of files) {
    const found = await readFile(path.join(folder, file)).catch(() => undefined)
    if (!found) differences.push({ file, kind: 'missing' })
    else if (!isOurs(found)) differences.push({ file, kind: 'foreign' })
    else if (!isSame(found, wanted)) differences.push({ file, kind: 'stale' })
  }
  if (!leftovers) return differences
  const chunks = await readdir(path.join(folder, leftovers.folder)).catch(() => [])
  for (const file of [...chunks.map((name) => `${leftovers.folder}/${name}`), ...leftovers.files]) {
    if (files.has(file)) continue
    const found = await readFile(path.join(folder, file)).catch(() => undefined)
    if (found && isOurs(found)) differences.push({ file, kind: 'left over' })
  }
  return differences
}

/** Mends the differences. Files appear whole or not at all, and chunks before what imports them. */
export async function writeOutput(output: Output, differences: readonly Difference[]): Promise<void> {
  const { folder, files, leftovers } = output
  for (const { file, kind } of differences) {
    const target = path.join(folder, file)
    if (kind === 'left over' || kind === 'foreign') continue
    await mkdir(path.dirname(target), { recursive: true })
    await writeWhole(target, files.get(file)!)
  }
  const left = differences.filter(({ kind }) => kind === 'left over')
  for (const { file } of left) await rm(path.join(folder, file))
  // Only a folder that is empty goes.
  if (left.length && leftovers) await rmdir(path.join(folder, leftovers.folder)).catch(() => undefined)
}

function isOurs(found: Buffer): boolean {
  return found.subarray(0, PACK_MAGIC.length).equals(PACK_MAGIC) || startsWith(found, MARK)
}

function startsWith(found: Buffer, text: string): boolean {
  return found.subarray(0, text.length).toString('latin1') === text
}

/** Git may check text out with CRLF. No generated text holds a CR of its own. */
function isSame(found: Buffer, wanted: string | Uint8Array): boolean {
  if (typeof wanted !== 'string') return found.equals(wanted)
  return found.toString().replaceAll('\r\n', '\n') === wanted
}
