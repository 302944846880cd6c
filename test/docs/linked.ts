import { execFile } from 'node:child_process'
import { mkdir, readFile, realpath, symlink } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const tests = path.join(import.meta.dirname, '..')
const repository = path.join(tests, '..')

interface Manifest {
  readonly bin?: string | Record<string, string>
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
}

/**
 * A `node_modules` as an installation would leave it, without one: our packages from their tarballs,
 * and all others that the tests depend on.
 */
export async function linkPackages(folder: string, tarballs: ReadonlyMap<string, string>): Promise<void> {
  const modules = path.join(folder, 'node_modules')
  for (const [name, tarball] of tarballs) {
    const target = path.join(modules, name)
    await mkdir(target, { recursive: true })
    await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', target])
    await linkBins(name, modules)
  }
  const compiler = path.join(repository, 'packages/compiler')
  const [outer, inner, ours] = await Promise.all([repository, tests, compiler].map(manifestOf))
  const links = [
    ...Object.keys(outer!.devDependencies!).map((name) => [name, repository]),
    ...Object.keys(inner!.devDependencies!).map((name) => [name, tests]),
    ...Object.keys(ours!.dependencies!).map((name) => [name, compiler]),
  ] as [string, string][]
  for (const [name, from] of links) {
    const link = path.join(modules, name)
    if (tarballs.has(name) || name === 'node') continue
    await mkdir(path.dirname(link), { recursive: true })
    await symlink(await realpath(path.join(from, 'node_modules', name)), link, 'junction')
    await linkBins(name, modules)
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
