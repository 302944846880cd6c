/** The packages as they would be published: packed by pnpm, and unpacked as an install does. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { temporaryFolder } from './tree.ts'

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly license?: string
  readonly type?: string
  readonly sideEffects?: boolean
  readonly engines?: { readonly node?: string }
  readonly exports?: Readonly<Record<string, string | { readonly types?: string; readonly default?: string }>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export interface Packed {
  readonly name: string
  /** What is published, with versions instead of `workspace:`. */
  readonly manifest: Manifest
  readonly tarball: Buffer
  /** The unpacked package. */
  readonly folder: string
}

const packages = path.join(import.meta.dirname, '../../packages')

/** A project of its own with all packages installed from their tarballs. */
export interface Installed {
  readonly root: string
  readonly packed: readonly Packed[]
}

export function installPacked(): Installed {
  const root = temporaryFolder()
  const modules = path.join(root, 'node_modules')
  const sources = new Map<string, string>()
  const packed = readdirSync(packages).flatMap((name): Packed[] => {
    const source = path.join(packages, name)
    const { name: id, private: isPrivate } = readManifest(source)
    if (isPrivate) return []
    const tarball = pack(source, path.join(root, 'tarballs', name))
    const folder = path.join(modules, id)
    mkdirSync(folder, { recursive: true })
    execFileSync('tar', ['xzf', tarball, '-C', folder, '--strip-components=1'])
    sources.set(id, source)
    return [{ name: id, manifest: readManifest(folder), tarball: readFileSync(tarball), folder }]
  })
  // Other people's packages are those of the repository.
  for (const { name, manifest } of packed)
    for (const dependency of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }))
      if (!sources.has(dependency)) link(dependency, sources.get(name)!, modules)
  return { root, packed }
}

function link(dependency: string, from: string, modules: string): void {
  const target = path.join(from, 'node_modules', dependency)
  const place = path.join(modules, dependency)
  mkdirSync(path.dirname(place), { recursive: true })
  try {
    symlinkSync(target, place)
  } catch (error) {
    // Another package has it too.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function readManifest(folder: string): Manifest {
  return createRequire(import.meta.url)(path.join(folder, 'package.json')) as Manifest
}

function pack(source: string, destination: string): string {
  mkdirSync(destination, { recursive: true })
  const args = ['pack', '--pack-destination', destination]
  // The pnpm that runs the tests, or the one that the repository's scripts name.
  const running = process.env['npm_execpath'] ?? ''
  if (path.basename(running).startsWith('pnpm')) {
    const isScript = /\.[cm]?js$/.test(running)
    execFileSync(isScript ? process.execPath : running, isScript ? [running, ...args] : args, { cwd: source })
  } else execFileSync('npx', ['--yes', 'pnpm@12.21.0', ...args], { cwd: source })
  return path.join(destination, readdirSync(destination)[0]!)
}
