import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, realpath, symlink } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Packed } from '../support/tarballs.ts'

const run = promisify(execFile)
const tests = path.join(import.meta.dirname, '..')
const repository = path.join(tests, '..')

interface Manifest {
  readonly bin?: string | Record<string, string>
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
}

/**
 * A `node_modules` as an installation would leave it, without one: our packages from their tarballs, and
 * what they and the tests depend on.
 */
export async function linkPackages(folder: string, packed: ReadonlyMap<string, Packed>): Promise<void> {
  const modules = path.join(folder, 'node_modules')
  for (const [name, { tarball }] of packed) {
    const target = path.join(modules, name)
    await mkdir(target, { recursive: true })
    await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', target])
    await linkBins(name, modules)
  }
  const sources = [repository, tests, ...[...packed.values()].map((item) => item.folder)]
  for (const source of sources) {
    const { dependencies, devDependencies } = await manifestOf(source)
    const isOurs = source !== repository && source !== tests
    for (const name of Object.keys({ ...dependencies, ...(!isOurs && devDependencies) })) {
      const link = path.join(modules, name)
      if (existsSync(link) || name === 'node') continue
      await mkdir(path.dirname(link), { recursive: true })
      await symlink(await realpath(path.join(source, 'node_modules', name)), link, 'junction')
      await linkBins(name, modules)
    }
  }
}

async function linkBins(name: string, modules: string): Promise<void> {
  const { bin = {} } = await manifestOf(path.join(modules, name))
  await mkdir(path.join(modules, '.bin'), { recursive: true })
  const bins = typeof bin === 'string' ? { [path.basename(name)]: bin } : bin
  for (const [command, file] of Object.entries(bins))
    await symlink(path.join('..', name, file), path.join(modules, '.bin', command))
}

async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as Manifest
}
