import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'

const run = promisify(execFile)
const repository = path.join(import.meta.dirname, '../..')

/** A package as it would be published. */
export interface Packed {
  /** The folder that it was packed from, absolute. */
  readonly folder: string
  /** Absolute. */
  readonly tarball: string
}

/** Packs every package, as it was built last, until a test file's end. By the package's name. */
export async function packTarballs(): Promise<Map<string, Packed>> {
  const target = await realpath(await mkdtemp(path.join(tmpdir(), 'embed-skills-packed-')))
  afterAll(() => rm(target, { recursive: true, force: true }))
  const { scripts } = JSON.parse(await readFile(path.join(repository, 'package.json'), 'utf8')) as {
    scripts: { pnpm: string }
  }
  const packages = path.join(repository, 'packages')
  const packed = (await readdir(packages)).map(async (name) => {
    const folder = path.join(packages, name)
    const command = `${scripts.pnpm} pack --json --pack-destination ${target}`
    const { stdout } = await run('sh', ['-c', command], { cwd: folder })
    const result = JSON.parse(stdout) as { name: string; filename: string }
    return [result.name, { folder, tarball: path.resolve(target, result.filename) }] as const
  })
  return new Map(await Promise.all(packed))
}
