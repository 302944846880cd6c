import { execFile } from 'node:child_process'
import { mkdtemp, readFile, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const packages = path.join(import.meta.dirname, '../../packages')
const root = JSON.parse(await readFile(path.join(packages, '../package.json'), 'utf8')) as {
  scripts: { pnpm: string }
}

/** Packs packages as they would be published. Gives the tarball of each, by the package's name. */
export async function packTarballs(folders: readonly string[]): Promise<Map<string, string>> {
  const target = await realpath(await mkdtemp(path.join(tmpdir(), 'embed-skills-packed-')))
  const packed = await Promise.all(
    folders.map(async (folder) => {
      const command = `${root.scripts.pnpm} pack --json --pack-destination ${target}`
      const { stdout } = await run('sh', ['-c', command], { cwd: path.join(packages, folder) })
      const { name, filename } = JSON.parse(stdout) as { name: string; filename: string }
      return [name, path.resolve(target, filename)] as const
    }),
  )
  return new Map(packed)
}
